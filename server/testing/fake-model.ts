import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";

/** A request to the model, as far as tests read it. */
type ModelRequest = {
  path: string;
  authorization: string | undefined;
  body: {
    model: string;
    messages: { role: string; content: unknown }[];
    tools?: { function: { name: string } }[];
  };
};

/** The reply of the model: text, calls of tools, or an invalid response. */
export type ModelAnswer = {
  text?: string;
  /** Arguments that are strings are sent unchanged. */
  calls?: { name: string; args: unknown }[];
  status?: number;
  /** Sent instead of a valid response. */
  raw?: string;
  /** Never responds. */
  hangs?: boolean;
  tokens?: number;
};

/** A fake language model with the protocol of OpenAI-compatible servers. Its script determines its replies. */
export type FakeModel = {
  settings: Record<string, string>;
  requests: ModelRequest[];
  /** Returns the next reply; `step` counts the replies to one message. */
  script: (request: ModelRequest, step: number) => ModelAnswer;
  close(): Promise<void>;
};

/**
 * Settings for a model that no test calls. With a model configured, a message such as `run NAME {"a": 1}` immediately
 * runs the tool, which is all that tests of the platforms need.
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
