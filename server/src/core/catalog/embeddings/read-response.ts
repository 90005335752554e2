import { isJsonObject } from "#lib/json-object";
import { quantize } from "./vector.ts";
import type { Vector } from "./vector.ts";

const maxDimensions = 4_096;
/** A number of an embedding takes at most this many bytes as JSON. */
const maxBytesPerNumber = 32;
/** Beyond what any provider adds to each embedding: its index, its kind, and usage. */
const maxPartsPerEmbedding = 32;
/** The characters that start an array, an object, or a text. */
const partStarts: ReadonlySet<number> = new Set(Buffer.from('[{"'));

/** Thrown for a response that is not one embedding for each text. Its message quotes nothing of the response. */
export class InvalidResponseError extends Error {}

/** Reads the embeddings of `count` texts from the body of a response, in the order of the texts. */
export async function readEmbeddings(response: Response, count: number): Promise<Vector[]> {
  const body = await readBody(response, (count * maxDimensions + 1_000) * maxBytesPerNumber);
  checkParts(body, maxPartsPerEmbedding * (count + 4));
  const vectors: (Vector | undefined)[] = [];
  for (const item of readItems(body)) {
    if (!isJsonObject(item)) throw new InvalidResponseError("the response has another format");
    const { index, embedding } = item;
    const isUnique = Number.isInteger(index) && vectors[Number(index)] === undefined;
    if (!isUnique || Number(index) < 0 || Number(index) >= count)
      throw new InvalidResponseError("the response has too many embeddings");
    vectors[Number(index)] = toVector(embedding);
  }
  const [first] = vectors;
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors[index];
    if (vector === undefined) throw new InvalidResponseError("an embedding is missing or invalid");
    if (vector.values.length !== first?.values.length)
      throw new InvalidResponseError("the embeddings have different dimensions");
    return vector;
  });
}

async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the body.
    if (bytes > maxBytes) throw new InvalidResponseError("the response is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Parsing many small parts, or deeply nested ones, takes far longer than parsing as many bytes of numbers. */
function checkParts(body: Buffer, max: number): void {
  let parts = 0;
  for (const byte of body) {
    if (partStarts.has(byte) && (parts += 1) > max)
      throw new InvalidResponseError("the response has another format");
  }
}

function readItems(body: Buffer): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString("latin1"));
  } catch {
    throw new InvalidResponseError("the response is not JSON");
  }
  const items = isJsonObject(parsed) ? parsed["data"] : undefined;
  if (!Array.isArray(items)) throw new InvalidResponseError("the response has another format");
  return items;
}

/** A schema library would take longer than parsing did. */
function toVector(embedding: unknown): Vector | undefined {
  const isValid =
    Array.isArray(embedding) &&
    embedding.length <= maxDimensions &&
    embedding.every((value): value is number => typeof value === "number");
  return isValid ? quantize(embedding) : undefined;
}
