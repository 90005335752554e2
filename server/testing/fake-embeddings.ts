import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";

/** A request for embeddings. */
type EmbeddingsRequest = {
  path: string;
  authorization: string | undefined;
  model: string;
  input: string[];
};

/** Sends another response than embeddings. Returns false to send embeddings. */
type Interfere = (request: EmbeddingsRequest, response: ServerResponse) => boolean;

/** A server with the protocol of OpenAI-compatible embeddings and a deterministic model. */
export type FakeEmbeddings = {
  settings: Record<string, string>;
  requests: EmbeddingsRequest[];
  interfere: Interfere;
  /** Changed by the provider without notice. */
  dimension: number;
  close(): Promise<void>;
};

/** Words that mean the same to the model. The last one of each concept has no relation to the others in the lexicon. */
const concepts = [
  ["weather", "forecast", "rain", "walrus"],
  ["currency", "currencies", "money", "trombone"],
  ["gnome", "gnomes", "bassoon"],
  ["dragon", "dragons", "marmalade"],
];

export async function startFakeEmbeddings(): Promise<FakeEmbeddings> {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { model, input } = JSON.parse(Buffer.concat(chunks).toString()) as EmbeddingsRequest;
    const { authorization } = request.headers;
    const asked = { path: request.url ?? "", authorization, model, input };
    fake.requests.push(asked);
    if (fake.interfere(asked, response)) return;
    respond(response, embeddingsOf(input, fake.dimension));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const fake: FakeEmbeddings = {
    settings: {
      EMBEDDINGS_URL: `http://127.0.0.1:${port}/v1`,
      EMBEDDINGS_MODEL: "fake-embedder",
      EMBEDDINGS_API_KEY: "embeddings-key-of-the-test",
    },
    requests: [],
    interfere: () => false,
    dimension: 128,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

/** The embeddings of texts, as the service expects them. */
export function embeddingsOf(texts: readonly string[], dimension: number): number[][] {
  return texts.map((text) => embed(text, dimension));
}

export function respond(response: ServerResponse, embeddings: readonly unknown[]): void {
  response.writeHead(200, { "content-type": "application/json" });
  const data = embeddings.map((embedding, index) => ({ object: "embedding", index, embedding }));
  const usage = { prompt_tokens: 1, total_tokens: 1 };
  response.end(JSON.stringify({ object: "list", data, model: "fake-embedder", usage }));
}

/** Hashed parts of words, and concepts, which weigh more. */
function embed(text: string, dimension: number): number[] {
  // A constant part, as real models have, makes all texts similar.
  const vector = Array.from({ length: dimension }, () => 0.5);
  const add = (feature: string, weight: number) => {
    let hash = 2_166_136_261;
    for (const character of feature)
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
    for (let round = 0; round < 8; round += 1) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
      const at = (hash >>> 8) % dimension;
      vector[at] = (vector[at] ?? 0) + (hash & 1 ? weight : -weight);
    }
  };
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const concept = concepts.findIndex((words) => words.includes(word));
    if (concept !== -1) add(`concept ${concept}`, 2);
    for (let at = 0; at + 3 <= word.length; at += 1) add(word.slice(at, at + 3), 0.2);
  }
  return vector;
}
