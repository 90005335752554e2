import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** A request to the model, as far as tests read it. */
type ModelRequest = {
  path: string;
  authorization: string | undefined;
  body: {
    model: string;
    stream?: boolean;
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
  /** Closes the connection after the words of a streamed reply. */
  breaksOff?: boolean;
  /** The pause after each word of a streamed reply. */
  wordMs?: number;
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
    const reply = fake.script(asked, step);
    if (isStreamed(asked, reply)) await stream(response, asked, reply);
    else give(response, asked, reply);
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

function isStreamed({ body }: ModelRequest, { hangs, raw, status = 200 }: ModelAnswer): boolean {
  return body.stream === true && hangs !== true && raw === undefined && status === 200;
}

async function stream(
  response: ServerResponse,
  asked: ModelRequest,
  answer: ModelAnswer,
): Promise<void> {
  const { text = "", wordMs = 0, tokens = 20 } = answer;
  const calls = toolCalls(asked, answer);
  const say = (part: object) =>
    response.write(`data: ${JSON.stringify({ id: "answer", ...part })}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const content of text.match(/\s*\S+/g) ?? []) {
    say({ choices: [{ index: 0, delta: { role: "assistant", content } }] });
    if (wordMs > 0) await sleep(wordMs);
  }
  if (answer.breaksOff === true) {
    response.destroy();
    return;
  }
  const tool_calls = calls.map((call, index) => ({ index, ...call }));
  if (calls.length > 0) say({ choices: [{ index: 0, delta: { role: "assistant", tool_calls } }] });
  const finish_reason = calls.length === 0 ? "stop" : "tool_calls";
  say({ choices: [{ index: 0, delta: {}, finish_reason }], usage: usageOf(tokens) });
  response.end("data: [DONE]\n\n");
}

function toolCalls({ body }: ModelRequest, { calls = [] }: ModelAnswer) {
  return calls.map(({ name, args }, index) => ({
    id: `call_${body.messages.length}_${index}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
}

function usageOf(tokens: number) {
  return { prompt_tokens: tokens / 2, completion_tokens: tokens / 2, total_tokens: tokens };
}

function give(response: ServerResponse, asked: ModelRequest, answer: ModelAnswer): void {
  if (answer.hangs === true) return;
  const { status = 200, raw, text = null, tokens = 20 } = answer;
  response.writeHead(status, { "content-type": "application/json" });
  if (raw !== undefined || status !== 200) {
    response.end(raw ?? JSON.stringify({ error: { message: "secret of the model's server" } }));
    return;
  }
  const tool_calls = toolCalls(asked, answer);
  const message = {
    role: "assistant",
    content: text,
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  };
  const finish_reason = tool_calls.length === 0 ? "stop" : "tool_calls";
  response.end(
    JSON.stringify({
      id: "answer",
      object: "chat.completion",
      created: 1,
      model: asked.body.model,
      choices: [{ index: 0, message, finish_reason }],
      usage: usageOf(tokens),
    }),
  );
}
