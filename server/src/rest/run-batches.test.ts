import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

type Call = (...sent: Parameters<TestService["call"]>) => ReturnType<TestService["call"]>;

let test: TestService;
/** Doubles `n`, fails for 13, and takes 30 s for a negative number. */
let double: string;
beforeAll(async () => {
  test = await startTestService({
    WORKSPACE_MAX_CONCURRENT_RUNS: "4",
    WORKSPACE_MAX_QUEUED_RUNS: "1200",
  });
  double = await test.makeTool(
    `export default async ({ n }) => {
      if (n === 13) throw new Error("unlucky");
      if (n < 0) await new Promise((resolve) => setTimeout(resolve, 30_000));
      return { result: 2 * n };
    };`,
    {
      inputSchema: {
        type: "object",
        properties: { n: { type: "number", description: "A number" } },
        required: ["n"],
      },
      outputSchema: { properties: [{ name: "result", type: "number", description: "" }] },
    },
  );
});
afterAll(() => test.stop());

const create = (inputs: unknown, headers?: Record<string, string>) =>
  test.call("POST", "/run-batches", { toolName: double, inputs }, headers);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const statusOf = async (batchId: unknown) =>
  (await test.call("GET", `/run-batches/${String(batchId)}`)).body.status as unknown;
const callAs =
  (apiKey: string): Call =>
  (method, path, body, headers) =>
    test.call(method, path, body, { authorization: `Bearer ${apiKey}`, ...headers });

describe("POST /run-batches", () => {
  it("runs the tool with each input, and reports the progress", async () => {
    const made = await create(numbers(40));
    const { batchId } = made.body;
    expect([made.status, made.headers.get("location"), made.body]).toMatchObject([
      201,
      `/api/v1/run-batches/${batchId}`,
      { status: "running", total: 40, counts: { queued: 40 }, toolName: double },
    ]);
    await expect.poll(() => statusOf(batchId)).toBe("completed");
    const done = await test.call("GET", `/run-batches/${batchId}`);
    expect(done.body.counts).toEqual({
      queued: 0,
      running: 0,
      completed: 39,
      failed: 1,
      cancelled: 0,
    });
    const listed = await test.call("GET", `/runs?batchId=${batchId}&limit=200`);
    const runs = (listed.body as { input: object; output: object; batchId: string }[]).toReversed();
    expect(runs.map(({ input }) => input)).toEqual(numbers(40));
    expect(runs[7]).toMatchObject({ output: { result: 14 }, batchId });
    const failed = await test.call("GET", `/runs?batchId=${batchId}&status=failed`);
    expect(failed.body).toMatchObject([{ input: { n: 13 }, error: { message: "unlucky" } }]);
    const events = await test.call("GET", `/audit-events?target=${batchId}`);
    expect(events.body).toMatchObject([
      { action: "run_batch.create", details: { toolName: double, runs: 40 } },
    ]);
  });

  it("creates one batch for an Idempotency-Key", async () => {
    const key = { "idempotency-key": randomUUID() };
    const [one, two] = await Promise.all([create(numbers(3), key), create(numbers(3), key)]);
    const again = await create(numbers(3), key);
    const ids = [one, two, again].flatMap(({ status, body }) =>
      status === 201 ? [String(body.batchId)] : [],
    );
    expect(new Set(ids).size).toBe(1);
    expect(again.headers.get("idempotent-replay")).toBe("true");
    const listed = await test.call("GET", `/runs?batchId=${ids[0]}`);
    expect(listed.body).toHaveLength(3);
  });

  it("creates no run if an input is invalid, and names each such input", async () => {
    const before = await test.call("GET", "/runs?limit=1");
    const made = await create([{ n: 1 }, { n: "x" }, {}]);
    expect([made.status, made.body]).toMatchObject([
      400,
      { code: "invalid_input", errors: [{ path: "/inputs/1/n" }, { path: "/inputs/2/n" }] },
    ]);
    const after = await test.call("GET", "/runs?limit=1");
    expect(after.body[0].runId).toBe(before.body[0].runId);
  });

  it.each([
    ["no input", []],
    ["more than 1,000 inputs", numbers(1_001)],
    ["an input that is no object", [1]],
    ["inputs that are no list", { n: 1 }],
  ])("returns 400 for %s", async (_, inputs) => {
    expect((await create(inputs)).body).toMatchObject({ status: 400, code: "invalid_request" });
  });

  it("returns 404 for an unknown tool", async () => {
    const body = { toolName: "none_ab12", inputs: [{}] };
    expect((await test.call("POST", "/run-batches", body)).body.code).toBe("tool_not_found");
  });

  it("counts each run for the quota of a day, and none if the batch is refused", async () => {
    const limited = await startTestService({ QUOTA_USER_RUNS_PER_DAY: "10" });
    try {
      const toolName = await limited.makeTool("export default async () => ({});");
      const send = async (count: number) => {
        const inputs = Array.from({ length: count }, () => ({}));
        return (await limited.call("POST", "/run-batches", { toolName, inputs })).body;
      };
      expect((await send(6)).total).toBe(6);
      expect((await send(5)).code).toBe("quota_exceeded");
      expect((await send(4)).total).toBe(4);
      expect((await send(1)).code).toBe("quota_exceeded");
    } finally {
      await limited.stop();
    }
  });

  it("refuses batches that do not fit into their queue, also at once, and no single run", async () => {
    const slow = Array.from({ length: 500 }, () => ({ n: -1 }));
    const made = await Promise.all([create(slow), create(slow), create(slow), create(slow)]);
    expect(made.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 201, 429, 429,
    ]);
    expect(made.find(({ status }) => status === 429)?.body.code).toBe("rate_limited");
    const single = await test.call("POST", `/run/${double}`, { n: 5 }, { prefer: "wait=0" });
    expect(single.status).toBe(200);
    for (const { body } of made.filter(({ status }) => status === 201)) {
      await test.call("POST", `/run-batches/${body.batchId}/cancel`);
      await expect.poll(() => statusOf(body.batchId), { timeout: 60_000 }).toBe("cancelled");
    }
    const ended = await test.call("GET", `/runs/${single.body.runId}`);
    expect(ended.body.status).toBe("completed");
  }, 90_000);

  it("creates no run once its user is no longer a member", async () => {
    const person = await test.addPerson(test.workspaceId, "member");
    const send = callAs(person.apiKey);
    const { db } = test.service.context;
    const key = await send("GET", "/me");
    expect(key.status).toBe(200);
    const sent = send("POST", "/run-batches", { toolName: double, inputs: numbers(900) });
    // After the request was authenticated, and while its inputs are validated.
    await new Promise((resolve) => setTimeout(resolve, 30));
    await test.callAsOwner("DELETE", `/workspaces/${test.workspaceId}/members/${person.userId}`);
    await sent;
    const unfinished = () =>
      db.kysely
        .selectFrom("runs")
        .select("id")
        .where("user_id", "=", person.userId)
        .where("status", "=", "running")
        .where("cancel_requested", "=", 0)
        .execute();
    expect(await unfinished()).toEqual([]);
  });
});

describe("a single run of a workspace with a batch in its queue", () => {
  it("starts before the rest of the batch", async () => {
    const slow = await test.makeTool(
      "export default async () => { await new Promise((r) => setTimeout(r, 300)); return {}; };",
    );
    const inputs = Array.from({ length: 60 }, () => ({}));
    const { body: batch } = await test.call("POST", "/run-batches", { toolName: slow, inputs });
    const single = await test.call("POST", `/run/${slow}`, {}, { prefer: "wait=20" });
    expect(single.body.status).toBe("completed");
    const { body } = await test.call("GET", `/run-batches/${batch.batchId}`);
    expect(body.counts.queued).toBeGreaterThan(0);
    await test.call("POST", `/run-batches/${batch.batchId}/cancel`);
  });
});

describe("POST /run-batches/{batchId}/cancel", () => {
  it("ends queued and running runs, and is refused once all have ended", async () => {
    const { body: batch } = await create(Array.from({ length: 12 }, () => ({ n: -1 })));
    const path = `/run-batches/${batch.batchId}`;
    await expect
      .poll(async () => (await test.call("GET", path)).body.counts.running as unknown)
      .toBeGreaterThan(0);
    const cancelled = await test.call("POST", `${path}/cancel`);
    expect(cancelled.status).toBe(200);
    await expect.poll(() => statusOf(batch.batchId)).toBe("cancelled");
    expect((await test.call("GET", path)).body.counts.cancelled).toBe(12);
    const again = await test.call("POST", `${path}/cancel`);
    expect([again.status, again.body.code]).toEqual([409, "run_not_cancellable"]);
    const events = await test.call("GET", `/audit-events?target=${batch.batchId}`);
    expect(events.body[0].action).toBe("run_batch.cancel");
  });
});

describe("GET /run-batches/{batchId}", () => {
  it("returns 404 to other workspaces, and to colleagues if the runs are private", async () => {
    const stranger = callAs((await test.addPerson(await test.addWorkspace(), "owner")).apiKey);
    const author = callAs((await test.addPerson(test.workspaceId, "builder")).apiKey);
    const { body: shared } = await create(numbers(1));
    expect((await stranger("GET", `/run-batches/${shared.batchId}`)).status).toBe(404);
    expect((await author("GET", `/run-batches/${shared.batchId}`)).status).toBe(200);
    const tool = await author("POST", "/tools", {
      ...draftOf("export default async () => ({});"),
      visibility: "private",
    });
    const body = { toolName: tool.body.name, inputs: [{}] };
    const { body: own } = await author("POST", "/run-batches", body);
    const path = `/run-batches/${own.batchId}`;
    expect((await author("GET", path)).status).toBe(200);
    expect((await test.call("GET", path)).status).toBe(404);
    expect((await test.call("POST", `${path}/cancel`)).status).toBe(404);
    const events = await test.call("GET", `/audit-events?target=${own.batchId}`);
    expect(events.body).toMatchObject([{ hidden: true, details: {} }]);
    expect((await test.call("GET", "/run-batches/x")).status).toBe(404);
  });
});

describe("a batch of a tool that others may no longer run", () => {
  const slowTool = async () =>
    test.makeTool(
      "export default async () => { await new Promise((r) => setTimeout(r, 500)); return {}; };",
    );

  it.each(["private", "archived"])("ends for other users once it is %s", async (what) => {
    const tool = await slowTool();
    const person = callAs((await test.addPerson(test.workspaceId, "member")).apiKey);
    const body = { toolName: tool, inputs: Array.from({ length: 80 }, () => ({})) };
    const { body: batch } = await person("POST", "/run-batches", body);
    const change =
      what === "private"
        ? await test.call("PATCH", `/tools/${tool}`, { visibility: "private" })
        : await test.call("DELETE", `/tools/${tool}`);
    expect(change.status).toBeLessThan(300);
    const read = async () => (await person("GET", `/run-batches/${batch.batchId}`)).body;
    await expect.poll(async () => (await read()).status as unknown).toBe("completed");
    const { counts } = await read();
    expect(counts.cancelled).toBeGreaterThan(50);
    expect((await test.call("GET", `/run-batches/${batch.batchId}`)).status).toBe(
      what === "private" ? 404 : 200,
    );
  });
});

describe("a batch of a user who is removed from the workspace", () => {
  it("is cancelled with its runs, and remains visible to the others", async () => {
    const tool = await test.makeTool(
      "export default async () => { await new Promise((r) => setTimeout(r, 500)); return {}; };",
    );
    const person = await test.addPerson(test.workspaceId, "member");
    const body = { toolName: tool, inputs: Array.from({ length: 80 }, () => ({})) };
    const { body: batch } = await callAs(person.apiKey)("POST", "/run-batches", body);
    const path = `/run-batches/${batch.batchId}`;
    const read = async () => (await test.call("GET", path)).body;
    await expect.poll(async () => (await read()).counts.running as unknown).toBeGreaterThan(0);
    await test.callAsOwner("DELETE", `/workspaces/${test.workspaceId}/members/${person.userId}`);
    await expect
      .poll(async () => (await read()).status as unknown, { timeout: 20_000 })
      .not.toBe("running");
    const { counts } = await read();
    expect(counts.cancelled).toBeGreaterThan(50);
    expect(counts.cancelled + counts.completed).toBe(80);
    expect((await callAs(person.apiKey)("GET", path)).status).toBe(401);
  });
});

describe("GET /run-batches", () => {
  const ids = async (call: Call, path: string) => {
    const { status, body } = await call("GET", path);
    expect(status).toBe(200);
    return (body as { batchId: string }[]).map(({ batchId }) => batchId);
  };

  it("lists batches newest first, in pages, with their progress", async () => {
    const workspaceId = await test.addWorkspace();
    const owner = callAs((await test.addPerson(workspaceId, "owner")).apiKey);
    expect(await ids(owner, "/run-batches")).toEqual([]);
    const tool = await owner("POST", "/tools", draftOf("export default async () => ({});"));
    const made: string[] = [];
    for (let count = 1; count <= 23; count++) {
      const inputs = Array.from({ length: count }, () => ({}));
      const { body } = await owner("POST", "/run-batches", { toolName: tool.body.name, inputs });
      made.unshift(String(body.batchId));
    }
    expect(await ids(owner, "/run-batches")).toEqual(made);
    const listed: string[] = [];
    let pages = 0;
    for (let path: string | undefined = "/run-batches?limit=4"; path !== undefined; pages++) {
      const page: Awaited<ReturnType<Call>> = await owner("GET", path);
      listed.push(...(page.body as { batchId: string }[]).map(({ batchId }) => batchId));
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
      path = next?.slice(next.indexOf("/run-batches"));
    }
    expect([listed, pages]).toEqual([made, 6]);
    const [newest] = (await owner("GET", "/run-batches?limit=1")).body;
    expect(newest).toMatchObject({ batchId: made[0], total: 23, toolName: tool.body.name });
    const one = await owner("GET", `/run-batches/${made.at(-1)}`);
    const { body: all } = await owner("GET", "/run-batches?limit=200");
    expect(all.at(-1).total).toBe(one.body.total);
    expect((await owner("GET", "/run-batches?cursor=x")).body.code).toBe("invalid_request");
  });

  it("omits batches of other workspaces, and of runs that the caller cannot see", async () => {
    const workspaceId = await test.addWorkspace();
    const author = callAs((await test.addPerson(workspaceId, "builder")).apiKey);
    const colleague = callAs((await test.addPerson(workspaceId, "owner")).apiKey);
    const make = async (visibility: string) => {
      const draft = { ...draftOf("export default async () => ({});"), visibility };
      const { body: tool } = await author("POST", "/tools", draft);
      const body = { toolName: tool.name, inputs: [{}] };
      return String((await author("POST", "/run-batches", body)).body.batchId);
    };
    const shared = await make("workspace");
    const hidden: string[] = [];
    for (let count = 0; count < 12; count++) hidden.unshift(await make("private"));
    expect(await ids(author, "/run-batches")).toEqual([...hidden, shared]);
    expect(await ids(colleague, "/run-batches")).toEqual([shared]);
    expect(await ids(colleague, "/run-batches?limit=1")).toEqual([shared]);
    const elsewhere = await ids((...sent) => test.call(...sent), "/run-batches?limit=200");
    expect(elsewhere).not.toContain(shared);
  });

  it("requires the scope of GET /runs", async () => {
    const draft = { name: "Only executes", scopes: ["mcp:execute"] };
    const { body: key } = await test.callAsOwner("POST", "/api-keys", draft);
    const refused = await callAs(String(key.key))("GET", "/run-batches");
    expect(refused).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
  });
});
