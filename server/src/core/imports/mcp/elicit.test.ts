import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventOf, initialized, startMcpUpstream } from "#testing/mcp-upstream";
import type { Answer, McpUpstream } from "#testing/mcp-upstream";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { buildTool } from "./build-tool.ts";

let service: TestService;
let upstream: McpUpstream;
let answer: Answer;
let legacy: string;
let modern: string;

beforeAll(async () => {
  upstream = await startMcpUpstream((received, response) => answer(received, response));
  service = await startTestService({ EGRESS_PRIVATE_HOSTS: upstream.host });
  [legacy, modern] = await Promise.all([importTool("2025-11-25"), importTool("2026-07-28")]);
});
afterAll(async () => {
  await service.stop();
  upstream.close();
});
beforeEach(() => {
  upstream.received.length = 0;
});

async function importTool(protocolVersion: string): Promise<string> {
  const definition = { name: "work", inputSchema: { type: "object" } };
  const server = { url: upstream.url, transport: "http", protocolVersion } as const;
  const { tool } = await buildTool(server, definition, { checkSchema: async () => [] });
  return String((await service.call("POST", "/tools", tool)).body.name);
}

const requestedSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
};
const form = { mode: "form", message: "Where?", requestedSchema };
const text = (value: unknown) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

/** A server of an older revision that sends a request during the call, and returns the answer as the result. */
function asking(...params: object[]): Answer {
  const results = new Map<number, unknown>();
  return async ({ message }, response) => {
    if (message?.method === "initialize") return initialized("2025-11-25");
    if (message?.method === undefined && message !== undefined) {
      results.set(message.id, message.result ?? message.error);
      return undefined;
    }
    if (message?.method !== "tools/call") return undefined;
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const [id, each] of params.entries()) {
      response.write(eventOf({ id, method: "elicitation/create", params: each }));
    }
    await expect.poll(() => results.size, { timeout: 20_000 }).toBe(params.length);
    const inOrder = params.map((_, id) => results.get(id));
    response.end(eventOf({ id: message.id, result: text(inOrder) }));
    return undefined;
  };
}

const run = async (name: string) => (await service.call("POST", `/run/${name}`, {})).body;
const reply = (runId: string, body: object) => service.call("POST", `/runs/${runId}/answers`, body);
const next = async (runId: string) =>
  (await service.call("GET", `/runs/${runId}`, undefined, { prefer: "wait=20" })).body;
const resultOf = (record: { output: { text: string } }) => JSON.parse(record.output.text);
const declaredIn = (message: { params: Record<string, never> }) =>
  message.params["capabilities"] ??
  message.params["_meta"]?.["io.modelcontextprotocol/clientCapabilities"];

describe("a server of 2025-11-25 that asks", () => {
  it("asks the user of the run under its host's name, and gets the answer", async () => {
    answer = asking(form);
    const { runId, status, question } = await run(legacy);
    expect(status).toBe("running");
    expect(question.message).toBe(`The MCP server ${upstream.host} asks: Where?`);
    expect(declaredIn(upstream.received[0]?.message)).toEqual({ elicitation: { form: {} } });
    const content = { city: "Oslo" };
    await reply(runId, { questionId: question.id, action: "accept", content });
    expect(resultOf(await next(runId))).toEqual([{ action: "accept", content }]);
  });

  it("learns that the user declines", async () => {
    answer = asking({ message: "Where?", requestedSchema });
    const { runId, question } = await run(legacy);
    await reply(runId, { questionId: question.id, action: "decline" });
    expect(resultOf(await next(runId))).toEqual([{ action: "decline" }]);
  });

  it("gets its questions answered one after the other", async () => {
    answer = asking(form, { ...form, message: "And then?" });
    const first = await run(legacy);
    const content = { city: "Oslo" };
    await reply(first.runId, { questionId: first.question.id, action: "accept", content });
    const second = await next(first.runId);
    expect(second.question.message).toContain("And then?");
    await reply(first.runId, { questionId: second.question.id, action: "cancel" });
    const ended = await next(first.runId);
    expect(resultOf(ended)).toEqual([{ action: "accept", content }, { action: "cancel" }]);
  });

  it.each([
    ["a URL to open", { mode: "url", message: "Open", url: "https://evil.example" }],
    [
      "a nested schema",
      { ...form, requestedSchema: { type: "object", properties: { a: { type: "object" } } } },
    ],
    ["no schema", { message: "Where?" }],
    [
      "a huge schema",
      { ...form, requestedSchema: { ...requestedSchema, title: "x".repeat(1_000_000) } },
    ],
  ])("is declined with a log line for %s", async (_, params) => {
    answer = asking(params);
    const ended = await run(legacy);
    expect(resultOf(ended)).toEqual([{ action: "decline" }]);
    const log = (await service.call("GET", `/runs/${ended.runId}/logs`)).body;
    expect(log).toMatchObject([
      { level: "warn", message: expect.stringContaining("Declined a question of the MCP server") },
    ]);
  });

  it("is declined after ten questions", async () => {
    answer = asking(...Array.from({ length: 11 }, () => form));
    let state = await run(legacy);
    for (let n = 0; n < 10; n++) {
      await reply(state.runId, { questionId: state.question.id, action: "cancel" });
      state = await next(state.runId);
    }
    expect(resultOf(state).at(-1)).toEqual({ action: "decline" });
  });
});

describe("a server of 2026-07-28 that asks", () => {
  const inputRequired = (rest: object) => ({ resultType: "input_required", ...rest });

  it("gets the answers with its state in a repeated call", async () => {
    answer = ({ message }) => {
      const { inputResponses, requestState } = message.params;
      return inputResponses === undefined
        ? inputRequired({
            inputRequests: {
              one: { method: "elicitation/create", params: form },
              two: { method: "elicitation/create", params: { ...form, message: "And then?" } },
            },
            requestState: "opaque",
          })
        : { resultType: "complete", ...text({ inputResponses, requestState }) };
    };
    const first = await run(modern);
    const content = { city: "Oslo" };
    await reply(first.runId, { questionId: first.question.id, action: "accept", content });
    const second = await next(first.runId);
    await reply(first.runId, { questionId: second.question.id, action: "decline" });
    expect(resultOf(await next(first.runId))).toEqual({
      inputResponses: { one: { action: "accept", content }, two: { action: "decline" } },
      requestState: "opaque",
    });
    const [call, again] = upstream.received.map(({ message }) => message);
    expect(declaredIn(call)).toEqual({ elicitation: { form: {} } });
    expect(again.params).toMatchObject({ name: "work", arguments: {} });
    expect(again.id).not.toBe(call.id);
  });

  it("fails the run when it never stops asking", async () => {
    answer = () => inputRequired({ requestState: "again" });
    expect(await run(modern)).toMatchObject({ status: "failed", error: { code: "tool_error" } });
    expect(upstream.received.length).toBeLessThan(30);
  });

  it("fails the run when it asks for something else", async () => {
    answer = () =>
      inputRequired({ inputRequests: { one: { method: "sampling/createMessage", params: {} } } });
    const { error } = await run(modern);
    expect(error.message).toContain("not supported");
  });
});
