import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const slow = `export default async ({ ms }, ctx) => {
  ctx.progress(0.5, "half way");
  console.log("waiting", { ms });
  await new Promise((resolve) => setTimeout(resolve, ms));
  return { done: true };
}`;

async function ended(runId: string) {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { body } = await test.call("GET", `/runs/${runId}`);
    if (body.status !== "running") return body;
    await sleep(50);
  }
  throw new Error("The run did not end");
}

describe("GET /runs/:runId", () => {
  it("waits for the end with Prefer: wait, and not without it", async () => {
    const name = await test.makeTool(slow);
    const started = await test.call("POST", `/run/${name}`, { ms: 1_500 }, { prefer: "wait=0" });
    const path = `/runs/${started.body.runId}`;
    const atOnce = await test.call("GET", path, undefined, { prefer: "respond-async" });
    expect([atOnce.body.status, atOnce.headers.get("preference-applied")]).toEqual([
      "running",
      null,
    ]);
    const waited = await test.call("GET", path, undefined, { prefer: "wait=30" });
    expect(waited.body).toMatchObject({ status: "completed", output: { done: true } });
    expect(waited.headers.get("preference-applied")).toBe("wait=30");
  });
});

describe("POST /run/:toolName", () => {
  it("records input, output, timing, version, actor and interface", async () => {
    const name = await test.makeTool("export default async ({ a }) => ({ b: a * 2 })");
    const { body, status } = await test.call("POST", `/run/${name}`, { a: 21 });
    expect(status).toBe(200);
    expect(body).toEqual({
      runId: expect.any(String) as string,
      status: "completed",
      output: { b: 42 },
      toolUrl: `${test.baseUrl}/tools/${name}`,
    });
    const record = (await test.call("GET", `/runs/${body.runId}`)).body;
    expect(record).toMatchObject({
      toolName: name,
      toolVersion: 1,
      input: { a: 21 },
      output: { b: 42 },
      via: "rest",
      durationMs: expect.toSatisfy((ms: number) =>
        Number.isInteger(Math.round(ms * 1e9) / 1e8),
      ) as number,
    });
    const { body: events } = await test.call("GET", `/audit-events?target=${body.runId}`);
    expect(events).toMatchObject([{ action: "run.create", outcome: "success" }]);
  });

  it.each(["respond-async", "wait=0", "wait=20"])(
    "names the run in Location with Prefer: %s, in the first response and in replays",
    async (prefer) => {
      const name = await test.makeTool("export default async () => ({})");
      const headers = { prefer, "idempotency-key": randomUUID() };
      const first = await test.call("POST", `/run/${name}`, {}, headers);
      const location = `/api/v1/runs/${first.body.runId}`;
      expect(first.headers.get("location")).toBe(location);
      await ended(first.body.runId);
      const replay = await test.call("POST", `/run/${name}`, {}, headers);
      expect(replay.headers.get("idempotent-replay")).toBe("true");
      expect([replay.headers.get("location"), replay.text]).toEqual([location, first.text]);
    },
  );

  it("returns 200 with the error of a tool that throws, at the line of its source", async () => {
    const name = await test.makeTool(
      'type Input = { a: number };\n\nexport default async (input: Input) => {\n  throw new TypeError("no " + input.a);\n}',
    );
    const { body, status } = await test.call("POST", `/run/${name}`, { a: 1 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "failed",
      error: {
        code: "tool_error",
        message: "TypeError: no 1",
        stack: expect.stringContaining("tool.ts:4:9") as string,
      },
    });
    expect((await test.call("GET", `/runs/${body.runId}`)).body.error.code).toBe("tool_error");
    const { body: events } = await test.call("GET", `/audit-events?target=${body.runId}`);
    expect(events[0].outcome).toBe("tool_error");
  });

  it("fails with invalid_output for an output that does not match its schema", async () => {
    const name = await test.makeTool('export default async () => ({ sum: "1" })', {
      outputSchema: { properties: [{ name: "sum", type: "number", description: "" }] },
    });
    const { body } = await test.call("POST", `/run/${name}`, {});
    expect(body).toMatchObject({ status: "failed", error: { code: "invalid_output" } });
  });

  it("returns credentials_missing without creating a run", async () => {
    const name = await test.makeTool("export default async () => ({})", {
      credentials: [{ name: "WEATHER_KEY", description: "", hosts: ["api.example.com"] }],
    });
    const before = (await test.call("GET", "/runs")).body.length;
    const refused = await test.call("POST", `/run/${name}`, {});
    expect([refused.status, refused.body.code]).toEqual([422, "credentials_missing"]);
    expect(refused.body.missing).toEqual([
      {
        name: "WEATHER_KEY",
        reason: "missing",
        connectUrl: expect.stringContaining(test.baseUrl) as string,
      },
    ]);
    expect((await test.call("GET", "/runs")).body.length).toBe(before);
  });

  it("stops a tool at its own timeout", async () => {
    const name = await test.makeTool(slow, { timeoutMs: 300 });
    const { body } = await test.call("POST", `/run/${name}`, { ms: 10_000 });
    expect(body).toMatchObject({ status: "failed", error: { code: "timeout" } });
  });
});

describe("long run", () => {
  it("returns `running`, shows progress, and finishes", async () => {
    const name = await test.makeTool(slow);
    const wait = { prefer: "wait=0" };
    const asked = await test.call("POST", `/run/${name}`, { ms: 1_000 }, wait);
    expect(asked.headers.get("preference-applied")).toBe("wait=0");
    expect(asked.body).toMatchObject({ status: "running" });
    expect(asked.body).not.toHaveProperty("output");
    await sleep(500);
    const { body: midway } = await test.call("GET", `/runs/${asked.body.runId}`);
    expect(midway).toMatchObject({
      status: "running",
      progress: { fraction: 0.5, message: "half way" },
    });
    expect(await ended(asked.body.runId)).toMatchObject({
      status: "completed",
      output: { done: true },
    });
    const { body: logs } = await test.call("GET", `/runs/${asked.body.runId}/logs`);
    expect(logs).toEqual([
      {
        at: expect.stringMatching(/Z$/) as string,
        level: "info",
        message: expect.stringContaining("1000") as string,
      },
    ]);
  });

  it("accepts one cancellation", async () => {
    const name = await test.makeTool(slow);
    const asked = await test.call(
      "POST",
      `/run/${name}`,
      { ms: 60_000 },
      { prefer: "respond-async" },
    );
    const { runId } = asked.body;
    const cancelled = await test.call("POST", `/runs/${runId}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, "cancelled"]);
    const again = await test.call("POST", `/runs/${runId}/cancel`);
    expect([again.status, again.body.code]).toEqual([409, "run_not_cancellable"]);
  });

  it("is queued above the limit of the workspace", async () => {
    const name = await test.makeTool(slow);
    const wait = { prefer: "wait=0" };
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => test.call("POST", `/run/${name}`, { ms: 1_500 }, wait)),
    );
    expect(asked.filter(({ body }) => body.queued === true).length).toBeGreaterThanOrEqual(1);
    const records = await Promise.all(asked.map(({ body }) => ended(body.runId)));
    expect(new Set(records.map(({ status }) => status))).toEqual(new Set(["completed"]));
    expect(records.every(({ queued }) => queued === undefined)).toBe(true);
  });
});

describe("GET /runs", () => {
  it("lists each run once, newest first and page by page", async () => {
    const name = await test.makeTool("export default async () => ({})");
    const made: string[] = [];
    for (let count = 0; count < 5; count++) {
      made.push((await test.call("POST", `/run/${name}`, {})).body.runId);
    }
    const seen: string[] = [];
    let path = `/runs?toolName=${name}&limit=2`;
    while (path !== "") {
      const { body, headers } = await test.call("GET", path);
      seen.push(...body.map((run: { runId: string }) => run.runId));
      const next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";
      path = next.slice(`${test.baseUrl}/api/v1`.length);
    }
    expect(seen).toEqual(made.toReversed());
  });

  it.each(["limit=0", "limit=201", "limit=x", "cursor=%%%", "cursor=bm90LWFuLWlk", "status=done"])(
    "returns 400 for ?%s",
    async (query) => {
      const refused = await test.call("GET", `/runs?${query}`);
      expect([refused.status, refused.body.code]).toEqual([400, "invalid_request"]);
    },
  );
});

describe("GET /runs/:runId/logs", () => {
  it("returns a JSON array or JSON Lines", async () => {
    const name = await test.makeTool(
      "export default async () => (console.log(1), console.warn(2), {})",
    );
    const { body } = await test.call("POST", `/run/${name}`, {});
    const path = `/runs/${body.runId}/logs`;
    const { body: lines } = await test.call("GET", path);
    expect(lines).toMatchObject([
      { level: "info", message: "1" },
      { level: "warn", message: "2" },
    ]);
    const jsonl = await test.call("GET", path, undefined, { accept: "application/jsonl" });
    expect(jsonl.headers.get("content-type")).toBe("application/jsonl");
    expect(
      jsonl.text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toEqual(lines);
    const refused = await test.call("GET", path, undefined, { accept: "text/csv" });
    expect([refused.status, refused.body.code]).toEqual([406, "not_acceptable"]);
  });
});
