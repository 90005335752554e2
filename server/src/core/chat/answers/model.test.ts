import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig } from "#config";
import { createChatModel } from "./model.ts";

/** A model server that records requests and sends the given response. */
let seen: { path: string; headers: IncomingHttpHeaders }[] = [];
let give: (response: ServerResponse) => void = () => {};
const server = createServer((request, response) => {
  seen.push({ path: request.url ?? "", headers: request.headers });
  request.resume();
  give(response);
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = async (settings: Record<string, string>) => {
  seen = [];
  const open = createChatModel(
    readConfig({ CHAT_MODEL: "test-1", CHAT_MODEL_URL: `${url}/v1`, ...settings }),
  );
  if (open === undefined) return undefined;
  const { sdk, model } = await open();
  return (await sdk.generateText({ model, prompt: "hi", maxRetries: 0 })).text;
};

const json = (body: object) => (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
};

it("sends requests in the format of the provider, with the configured key", async () => {
  give = json({
    id: "m",
    type: "message",
    role: "assistant",
    model: "test-1",
    content: [{ type: "text", text: "from Anthropic" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
  const anthropic = { CHAT_MODEL_PROVIDER: "anthropic", CHAT_MODEL_API_KEY: "key-1" };
  expect(await ask(anthropic)).toBe("from Anthropic");
  expect(seen).toMatchObject([{ path: "/v1/messages", headers: { "x-api-key": "key-1" } }]);
  const message = { role: "assistant", content: "from another" };
  give = json({
    id: "c",
    created: 1,
    model: "test-1",
    choices: [{ index: 0, message, finish_reason: "stop" }],
  });
  expect(await ask({ CHAT_MODEL_PROVIDER: "openai-compatible" })).toBe("from another");
  expect(seen[0]?.path).toBe("/v1/chat/completions");
  expect(seen[0]?.headers.authorization).toBeUndefined();
});

it("is undefined without a complete configuration", () => {
  expect(createChatModel(readConfig({}))).toBeUndefined();
  expect(() => readConfig({ CHAT_MODEL: "x" })).toThrow("CHAT_MODEL_PROVIDER");
  expect(() => readConfig({ CHAT_MODEL_PROVIDER: "anthropic", CHAT_MODEL: "x" })).toThrow(
    "CHAT_MODEL_API_KEY",
  );
});

it("times out, and does not send its key to a redirect", async () => {
  const settings = {
    CHAT_MODEL_PROVIDER: "openai-compatible",
    CHAT_MODEL_API_KEY: "key-2",
    CHAT_MODEL_TIMEOUT_MS: "200",
  };
  // Headers alone are no answer.
  give = (response) => response.writeHead(200, { "content-type": "application/json" }).write(" ");
  await expect(ask(settings)).rejects.toThrow(/./);
  give = (response) => response.writeHead(307, { location: `${url}/elsewhere` }).end();
  await expect(ask(settings)).rejects.toThrow(/./);
  expect(seen.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
});
