import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService({
    METRICS_TOP_N: "2",
    WORKSPACE_MAX_CONCURRENT_RUNS: "1",
    SANDBOX_IDLE_PROCESSES: "0",
  });
});
afterAll(() => test?.stop());

const scrape = async () => (await fetch(`${test.baseUrl}/metrics`)).text();

/** The value of a metric with these labels, in any order; undefined if it has none. */
function valueOf(text: string, name: string, labels: Record<string, string> = {}) {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  for (const line of text.split("\n")) {
    const [, found, pairs = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (found === name && wanted.every((pair) => pairs.includes(pair))) return Number(value);
  }
  return undefined;
}

const waiting = "export default ({ ms }) => new Promise((done) => setTimeout(() => done({}), ms))";

describe("the metrics", () => {
  it("counts each run once, by outcome and code, and by tool", async () => {
    const good = await test.makeTool("export default () => ({})");
    const bad = await test.makeTool("export default () => { throw new Error('no') }");
    const before = await scrape();
    for (const name of [good, good, bad]) await test.call("POST", `/run/${name}`, {});
    const after = await scrape();
    const increase = (labels: Record<string, string>) =>
      (valueOf(after, "toolhost_runs_total", labels) ?? 0) -
      (valueOf(before, "toolhost_runs_total", labels) ?? 0);
    expect(increase({ outcome: "completed" })).toBe(2);
    expect(increase({ outcome: "failed", code: "tool_error" })).toBe(1);
    const tool = (name: string, outcome: string) =>
      valueOf(after, "toolhost_tool_runs_total", { tool: name, outcome });
    expect([tool(good, "completed"), tool(bad, "failed"), tool(bad, "completed")]).toEqual([
      2, 1, 0,
    ]);
    expect(
      valueOf(after, "toolhost_workspace_runs_total", {
        workspace: test.workspaceId,
        outcome: "failed",
      }),
    ).toBe(1);
    expect(valueOf(after, "toolhost_run_duration_seconds_count")).toBeGreaterThanOrEqual(3);
    expect(valueOf(after, "toolhost_database_statement_duration_seconds_count")).toBeGreaterThan(9);
  });

  it("counts a cancelled run, and the time in the queue", async () => {
    const slow = await test.makeTool(waiting);
    const start = (ms: number) =>
      test.call("POST", `/run/${slow}`, { ms }, { prefer: "respond-async" });
    const first = await start(1_500);
    const second = await start(0);
    // Scrapes shortly after each other share what they read from the database.
    await expect.poll(async () => valueOf(await scrape(), "toolhost_runs_queued")).toBe(1);
    const meanwhile = await scrape();
    expect(valueOf(meanwhile, "toolhost_runs_queued_age_max_seconds")).toBeGreaterThan(0);
    expect(
      valueOf(meanwhile, "toolhost_workspace_runs_queued", { workspace: test.workspaceId }),
    ).toBe(1);
    const queueTime = (text: string) => valueOf(text, "toolhost_run_queue_seconds_sum") ?? 0;
    const cancelled = { outcome: "cancelled", code: "" };
    await test.call("POST", `/runs/${first.body.runId}/cancel`);
    await expect
      .poll(async () => (await test.call("GET", `/runs/${second.body.runId}`)).body.status)
      .toBe("completed");
    await expect.poll(async () => valueOf(await scrape(), "toolhost_runs_queued")).toBe(0);
    const after = await scrape();
    expect(valueOf(after, "toolhost_runs_total", cancelled)).toBe(1);
    expect(queueTime(after)).toBeGreaterThan(queueTime(meanwhile));
    expect(valueOf(after, "toolhost_runs_queued_age_max_seconds")).toBe(0);
  });

  it("contains no names of drafts", async () => {
    const definition = draftOf("export default () => ({})");
    const { body: draft } = await test.call("POST", "/drafts", { definition });
    const { body: run } = await test.call("POST", `/drafts/${draft.id}/run`, {});
    expect(run).toMatchObject({ status: "completed" });
    const { body: record } = await test.call("GET", `/runs/${run.runId}`);
    expect(record.draft).not.toBeNull();
    expect(await scrape()).not.toContain(record.toolName);
  });
});

describe("GET /metrics", () => {
  it("contains what the documentation lists, and nothing else", async () => {
    const names = [...(await scrape()).matchAll(/^# TYPE (toolhost_\w+)/gm)].map(
      ([, name]) => name,
    );
    const page = await readFile(
      new URL("../../../docs/operate/metrics.md", import.meta.url),
      "utf8",
    );
    const listed = [...page.matchAll(/^\| `(toolhost_\w+)/gm)].map(([, name]) => name);
    const onlyPostgres = (name = "") => name.startsWith("toolhost_database_connections");
    const { dialect } = test.service.context.db;
    expect(new Set(names)).toEqual(
      new Set(listed.filter((name) => dialect === "postgres" || !onlyPostgres(name))),
    );
  });

  it("responds while the database is unavailable", async () => {
    const { db } = test.service.context;
    const { kysely } = db;
    Object.defineProperty(db, "kysely", {
      get: () => {
        throw new Error("unavailable");
      },
      configurable: true,
    });
    try {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const text = await scrape();
      expect(valueOf(text, "toolhost_runs_queued")).toBeNaN();
      expect(valueOf(text, "toolhost_chat_messages_waiting")).toBeNaN();
      expect(valueOf(text, "toolhost_ready", { component: "sandbox" })).toBe(1);
    } finally {
      Object.defineProperty(db, "kysely", { value: kysely, configurable: true, writable: true });
    }
  });
});
