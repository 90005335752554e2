import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";

/** What a model is asked, as far as tests look at it. */
type ModelRequest = {
  path: string;
  authorization: string | undefined;
  body: {
    model: string;
    messages: { role: string; content: unknown }[];
    tools?: { function: { name: string } }[];
  };
};

/** How the model answers: with text, with calls of tools, or not as it should. */
export type ModelAnswer = {
  text?: string;
  /** Arguments that are text are sent as they are. */
  calls?: { name: string; args: unknown }[];
  status?: number;
  /** Sent in the place of an answer. */
  raw?: string;
  /** Never answers. */
  hangs?: boolean;
  tokens?: number;
};

/** A language model on this machine, as OpenAI-compatible servers speak. It does what its script says. */
export type FakeModel = {
  settings: Record<string, string>;
  requests: ModelRequest[];
  /** Decides on the next answer; `step` counts the answers to one message. */
  script: (request: ModelRequest, step: number) => ModelAnswer;
  close(): Promise<void>;
};

/**
 * A model that no test reaches. Where a model is set up, a message such as `run NAME {"a": 1}` runs the tool at once,
 * which is all that tests of the ways to and from a chat need.
 */
export const unusedModel: Record<string, string> = {
  CHAT_MODEL_PROVIDER: "openai-compatible",
  CHAT_MODEL: "unused",
  CHAT_MODEL_URL: "http://127.0.0.1:9/v1",
};

/** Starts a model that replies with a greeting until it has scripted replies. */
export async function startFakeModel(): Promise<FakeModel> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked: ModelRequest = {
      path: request.url ?? "",
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest["body"],
    };
    fake.requests.push(asked);
    const step = asked.body.messages.filter(({ role }) => role === "assistant").length;
    give(response, asked, fake.script(asked, step));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const fake: FakeModel = {
    settings: {
      CHAT_MODEL_PROVIDER: "openai-compatible",
      CHAT_MODEL: "fake-1",
      CHAT_MODEL_API_KEY: "model-key-of-the-test",
      CHAT_MODEL_URL: `http://127.0.0.1:${port}/v1`,
      CHAT_MODEL_TIMEOUT_MS: "1500",
    },
    requests: [],
    script: () => ({ text: "Hello." }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

function give(response: ServerResponse, { body }: ModelRequest, answer: ModelAnswer): void {
  if (answer.hangs === true) return;
  const { status = 200, raw, text = null, calls = [], tokens = 20 } = answer;
  response.writeHead(status, { "content-type": "application/json" });
  if (raw !== undefined || status !== 200) {
    response.end(raw ?? JSON.stringify({ error: { message: "secret of the model's server" } }));
    return;
  }
  const tool_calls = calls.map(({ name, args }, index) => ({
    id: `call_${body.messages.length}_${index}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
  const message = {
    role: "assistant",
    content: text,
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  };
  const finish_reason = tool_calls.length === 0 ? "stop" : "tool_calls";
  const usage = { prompt_tokens: tokens / 2, completion_tokens: tokens / 2, total_tokens: tokens };
  response.end(
    JSON.stringify({
      id: "answer",
      object: "chat.completion",
      created: 1,
      model: body.model,
      choices: [{ index: 0, message, finish_reason }],
      usage,
    }),
  );
}
