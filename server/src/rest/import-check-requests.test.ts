import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkDueImports } from "#core/imports";
import { eventOf, serverWith, startMcpUpstream } from "#testing/mcp-upstream";
import type { Answer, McpUpstream } from "#testing/mcp-upstream";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const minuteMs = 60_000;
const work = { name: "work", inputSchema: { type: "object" } };
let upstream: McpUpstream;
let test: TestService;
let tools: object[];
let onCall: Answer;
beforeAll(async () => {
  upstream = await startMcpUpstream((received, response) =>
    received.message?.method === "tools/call"
      ? onCall(received, response)
      : serverWith(tools)(received, response),
  );
  test = await startTestService({ EGRESS_PRIVATE_HOSTS: upstream.host });
});
afterAll(async () => {
  await test.stop();
  upstream.close();
});
beforeEach(() => {
  tools = [work];
  onCall = () => done;
});

const done = { content: [{ type: "text", text: "done" }] };
const changed = eventOf({ method: "notifications/tools/list_changed" });

/** Answers a call with these events before the result. */
const announcing =
  (events: string): Answer =>
  ({ message }, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${events}${eventOf({ id: message.id, result: done })}`);
  };

/** Imports a tool, checked the last time so long ago. */
async function importTool(checkedMsAgo = 10 * minuteMs) {
  const { body } = await test.call("POST", "/imports", { kind: "mcp", url: upstream.url });
  const input = { keys: ["work"], publish: true };
  const made = await test.call("POST", `/imports/${body.id}/tools`, input);
  await set(body.id, { checked_at: Date.now() - checkedMsAgo });
  const toolName = String(made.body[0].toolName);
  return { id: String(body.id), toolName, run: () => test.call("POST", `/run/${toolName}`, {}) };
}

async function set(id: string, values: { checked_at?: number; failures?: number }) {
  const { kysely } = test.service.context.db;
  await kysely.updateTable("imports").set(values).where("id", "=", id).execute();
}

const shown = async (id: string) => (await test.call("GET", `/imports/${id}`)).body;
const untilNextCheck = async (id: string) => Date.parse((await shown(id)).nextCheckAt) - Date.now();

describe("a call of an imported tool", () => {
  it.each<[string, Answer]>([
    ["announces a change of the tools", announcing(changed)],
    [
      "does not know the tool (error)",
      ({ message }, response) => {
        const error = { code: -32602, message: "Unknown tool: work" };
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(eventOf({ id: message.id, error }));
      },
    ],
    [
      "does not know the tool (result)",
      () => {
        const text = "MCP error -32602: Tool work not found";
        return { isError: true, content: [{ type: "text", text }] };
      },
    ],
  ])("makes the service check the import soon when the server %s", async (_, answer) => {
    const { id, run } = await importTool();
    onCall = answer;
    await run();
    expect(await untilNextCheck(id)).toBeLessThan(1_000);
    tools = [];
    await checkDueImports(test.service.context, new AbortController().signal);
    await expect.poll(async () => (await shown(id)).changeCount).toBe(1);
    expect((await run()).body.code).toBe("definition_changed");
  });

  it("leaves the next check as it is when the server announces nothing", async () => {
    const { id, run } = await importTool();
    const { nextCheckAt } = await shown(id);
    onCall = announcing(eventOf({ method: "notifications/message", params: {} }));
    expect((await run()).body.status).toBe("completed");
    onCall = () => ({ isError: true, content: [{ type: "text", text: "no such city" }] });
    expect((await run()).body.status).toBe("failed");
    expect((await shown(id)).nextCheckAt).toBe(nextCheckAt);
  });

  it("makes the service check the import at most once a minute", async () => {
    const { id, run } = await importTool(0);
    onCall = announcing(changed.repeat(1_000));
    await run();
    const first = (await shown(id)).nextCheckAt;
    expect(await untilNextCheck(id)).toBeGreaterThan(minuteMs / 2);
    expect(await untilNextCheck(id)).toBeLessThanOrEqual(minuteMs);
    await run();
    expect((await shown(id)).nextCheckAt).toBe(first);
  });

  it("changes nothing while checks fail or one is in progress", async () => {
    const { id, run } = await importTool();
    onCall = announcing(changed);
    await set(id, { failures: 1 });
    const { nextCheckAt } = await shown(id);
    await run();
    expect((await shown(id)).nextCheckAt).toBe(nextCheckAt);
    await set(id, { failures: 0 });
    const lease = Date.now() + 5 * minuteMs;
    const { kysely } = test.service.context.db;
    await kysely
      .updateTable("imports")
      .set({ next_check_at: lease })
      .where("id", "=", id)
      .execute();
    await run();
    expect(Date.parse((await shown(id)).nextCheckAt)).toBe(lease);
  });
});

describe("the code of another tool", () => {
  it("fails when it requests a check", async () => {
    const { body } = await test.call("POST", "/tools", {
      title: "Caller",
      description: "Requests a check of an import.",
      inputSchema: { type: "object", properties: {} },
      outputSchema: { properties: [] },
      source: {
        language: "javascript",
        code: `export default async () => (await fetch("http://imports.internal/", { method: "POST" })).status`,
      },
    });
    const ended = await test.call("POST", `/run/${body.name}`, {});
    expect(ended.body).toMatchObject({ status: "failed", error: { code: "egress_denied" } });
  });
});
