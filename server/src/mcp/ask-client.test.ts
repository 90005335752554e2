import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let asker: string;
const keys = { own: "", reading: "", admin: "" };
const others = ["reading", "admin"] as const;

beforeAll(async () => {
  test = await startTestService();
  keys.own = test.apiKey;
  const reading = await test.callAsOwner("POST", "/api-keys", {
    name: "Read",
    scopes: ["mcp:read"],
  });
  keys.reading = reading.body.key;
  keys.admin = (await test.addPerson(test.workspaceId, "admin")).apiKey;
  asker = await test.makeTool(
    `export default async (input, ctx) => {
      const schema = { type: "object", properties: {} };
      return { answer: await ctx.ask({ message: "Go?", schema }) };
    }`,
    { title: "Book a trip" },
  );
});
afterAll(() => test?.stop());

type Who = keyof typeof keys;
type Call = { name: string; args?: object; rest?: object; signal?: AbortSignal };

const prefix = "io.modelcontextprotocol";
const modernMeta = {
  [`${prefix}/protocolVersion`]: "2026-07-28",
  [`${prefix}/clientInfo`]: { name: "test", version: "1" },
  [`${prefix}/clientCapabilities`]: { elicitation: { form: {} } },
};

function post(who: Who, body: object, headers: object = {}, signal?: AbortSignal) {
  return fetch(`${test.baseUrl}/api/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${keys[who]}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "user-agent": `test of ${who}`,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...body }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Calls a tool as a modern client that shows forms. */
async function call(who: Who, { name, args = {}, rest = {}, signal }: Call) {
  const params = { name, arguments: args, _meta: modernMeta, ...rest };
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": name,
  };
  const response = await post(who, { id: 1, method: "tools/call", params }, headers, signal);
  // Tests read responses of any shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  return (await response.json()) as any;
}

const legacy = { "mcp-protocol-version": "2025-11-25" };

/** Calls a tool as a legacy client that shows forms, and returns the first message of the response. */
async function callLegacy(who: Who, id: number, { name, args = {} }: Call) {
  const about = { protocolVersion: "2025-11-25", clientInfo: { name: "test", version: "1" } };
  const params = { ...about, capabilities: { elicitation: {} } };
  await post(who, { id: 0, method: "initialize", params });
  const body = { id, method: "tools/call", params: { name, arguments: args } };
  const response = await post(who, body, legacy);
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  return new TextDecoder().decode(value);
}

async function startRun() {
  const { body } = await test.call("POST", `/run/${asker}`, {});
  return { runId: String(body.runId), questionId: String(body.question.id) };
}

const statusOf = async (runId: string) =>
  String((await test.call("GET", `/runs/${runId}`)).body.status);
const stop = (runId: string) => test.call("POST", `/runs/${runId}/cancel`);
const check = (runId: string) => ({
  name: "service_check_run",
  args: { run_id: runId, wait_seconds: 0 },
});

/** Repeats a call with no answer, and closes the connection during the wait. */
async function resumeAndClose(who: Who, runId: string, name: string) {
  const rest = { requestState: runId, inputResponses: {} };
  const signal = AbortSignal.timeout(1_000);
  const answer = await call(who, { name, rest, signal }).catch(() => undefined);
  await sleep(1_000);
  return answer;
}

describe("the cancellation of a call", () => {
  it.each(others)("cancels no run of others with the state of a call (%s key)", async (who) => {
    const { runId } = await startRun();
    for (const name of ["anything", "service_execute_tool", asker]) {
      const answer = await resumeAndClose(who, runId, name);
      expect(JSON.stringify(answer)).toMatch(/insufficient_scope|mcp:execute|not found|No run/);
      expect(await statusOf(runId)).toBe("running");
    }
    await stop(runId);
  });

  it("cancels the run of a repeated call, but not of one that only names its state", async () => {
    const slow = await test.makeTool(
      `export default () => new Promise((done) => setTimeout(done, 30_000));`,
    );
    const headers = { prefer: "wait=0" };
    const { runId } = (await test.call("POST", `/run/${slow}`, {}, headers)).body;
    for (const name of ["service_search_tools", "service_check_run"]) {
      await resumeAndClose("own", runId, name);
      expect(await statusOf(runId)).toBe("running");
    }
    await resumeAndClose("own", runId, slow);
    await expect.poll(() => statusOf(runId), { timeout: 10_000 }).toBe("cancelled");
  });

  it("cancels the run of a legacy call, but not for service_check_run", async () => {
    const { runId } = await startRun();
    expect(await callLegacy("own", 7, check(runId))).toContain("elicitation/create");
    const cancel = (requestId: number) =>
      post("own", { method: "notifications/cancelled", params: { requestId } }, legacy);
    await cancel(7);
    await sleep(1_000);
    expect(await statusOf(runId)).toBe("running");
    await stop(runId);
    const question = await callLegacy("own", 8, { name: asker });
    const [, started = ""] = /"question (\S+) /.exec(question) ?? [];
    await cancel(8);
    await expect.poll(() => statusOf(started), { timeout: 10_000 }).toBe("cancelled");
  });
});

describe("the question of a run", () => {
  it("is answered by a repeated call, whose other responses cost nothing", async () => {
    const { runId, questionId } = await startRun();
    const responses = Array.from({ length: 20_000 }, (_, at) => [`q${at}`, { action: "cancel" }]);
    const inputResponses = Object.fromEntries([
      ["__proto__", { action: "accept", content: {} }],
      ...responses,
      [questionId, { action: "decline" }],
    ]);
    const { db } = test.service.context;
    const statements = vi.spyOn(db.kysely, "selectFrom");
    const rest = { requestState: runId, inputResponses };
    const { result } = await call("own", { ...check(runId), rest });
    expect(statements.mock.calls.length).toBeLessThan(100);
    statements.mockRestore();
    expect(result.resultType).toBe("complete");
    await expect.poll(() => statusOf(runId)).toBe("completed");
    const { body } = await test.call("GET", `/runs/${runId}`);
    expect(body.output.answer).toEqual({ action: "decline" });
  });

  it("is asked only of its user, in the name of the tool", async () => {
    const { runId } = await startRun();
    const { result } = await call("own", check(runId));
    const [asked] = Object.values<{ params: { message: string } }>(result.inputRequests);
    expect(asked?.params.message).toBe(`The tool "Book a trip" (${asker}) asks: Go?`);
    for (const who of others) {
      const { result: seen } = await call(who, check(runId));
      expect(seen.inputRequests).toBeUndefined();
      expect(seen.structuredContent).toMatchObject({ status: "running", runId });
      expect(seen.structuredContent.hint).toContain("Only that user can answer");
      expect(await callLegacy(who, 9, check(runId))).not.toContain("elicitation/create");
    }
    await stop(runId);
  });
});
