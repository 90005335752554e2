import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuseUpdates } from "#testing/refuse-writes";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { recoverOrphanedRuns } from "../recovery/recover-orphaned-runs.ts";
import { stopRuns } from "../stop-runs.ts";

let test: TestService;
let add: string;
let sleeper: string;
let relay: string;
beforeAll(async () => {
  test = await startTestService({ RUN_CHILD_DEPTH: "3", RUN_CHILDREN_MAX: "20" });
  add = await test.makeTool("export default ({ a, b }) => ({ sum: a + b });", {
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  });
  sleeper = await test.makeTool(
    "export default async ({ ms }) => { await new Promise((r) => setTimeout(r, ms)); return { slept: ms }; }",
  );
  relay = await makeRelay();
});
afterAll(() => test.stop());

/** A tool that runs all `calls` in parallel and returns their results; with `isCaught` false it fails with them. */
function makeRelay(rest = {}): Promise<string> {
  return test.makeTool(
    `export default async ({ calls, isCaught = true }, ctx) => {
      const toResult = (error) => ({ message: error.message, ...error });
      const run = ([name, input]) =>
        isCaught ? ctx.tools.run(name, input).catch(toResult) : ctx.tools.run(name, input);
      return { results: await Promise.all(calls.map(run)) };
    }`,
    rest,
  );
}

const run = async (name: string, input: unknown) =>
  (await test.call("POST", `/run/${name}`, input)).body;
const start = async (name: string, input: unknown) => {
  const { body } = await test.call("POST", `/run/${name}`, input, { prefer: "wait=0" });
  return String(body.runId);
};
const recordOf = async (id: string) => (await test.call("GET", `/runs/${id}`)).body;
const childrenOf = async (id: string) => (await test.call("GET", `/runs?parentRunId=${id}`)).body;
const results = async (calls: [string, unknown][]) => (await run(relay, { calls })).output.results;

async function runningChild(parentId: string) {
  await expect.poll(async () => (await childrenOf(parentId)).length).toBe(1);
  const [child] = await childrenOf(parentId);
  await expect.poll(() => test.service.context.runs.activeRuns.has(child.runId)).toBe(true);
  return child;
}

describe("a tool that runs another", () => {
  it("receives its output, and both runs are recorded as the caller's", async () => {
    const { runId, output } = await run(relay, { calls: [[add, { a: 1, b: 2 }]] });
    expect(output).toEqual({ results: [{ sum: 3 }] });
    const [child, ...others] = await childrenOf(runId);
    expect(others).toEqual([]);
    expect(child).toMatchObject({
      toolName: add,
      status: "completed",
      parentRunId: runId,
      via: "rest",
    });
    expect((await recordOf(runId)).parentRunId).toBeNull();
    expect(await recordOf(child.runId)).toMatchObject({
      parentRunId: runId,
      input: { a: 1, b: 2 },
    });
    const ids = [runId, child.runId];
    const events = await Promise.all(
      ids.map(async (id) => (await test.call("GET", `/audit-events?target=${id}`)).body[0]),
    );
    expect(events[1]).toMatchObject({ action: "run.create", actor: events[0].actor });
    expect(events[1].details).toMatchObject({ toolName: add, parentRunId: runId });
    expect(events[0].details).not.toHaveProperty("parentRunId");
  });

  it("lists child runs by parent, status and tool", async () => {
    const { runId } = await run(relay, {
      calls: [
        [add, { a: 1, b: 2 }],
        [sleeper, { ms: 1 }],
      ],
    });
    const names = async (query: string) =>
      (await test.call("GET", `/runs?parentRunId=${runId}${query}`)).body.map(
        ({ toolName }: { toolName: string }) => toolName,
      );
    expect(await names(`&toolName=${add}`)).toEqual([add]);
    expect(await names("&status=failed")).toEqual([]);
    expect((await names("&status=completed")).toSorted()).toEqual([add, sleeper].toSorted());
    const stranger = await test.addPerson(await test.addWorkspace(), "member");
    const seen = await test.call("GET", `/runs?parentRunId=${runId}`, undefined, {
      authorization: `Bearer ${stranger.apiKey}`,
    });
    expect(seen.body).toEqual([]);
  });

  it("receives an error that explains why a child failed", async () => {
    const broken = await test.makeTool("export default () => { throw new Error('broken pipe') }");
    const needy = await test.makeTool("export default () => ({})", {
      credentials: [{ name: "NOT_THERE", hosts: ["api.example.com"] }],
    });
    expect(
      await results([
        [broken, {}],
        ["no_such_tool_a1b2", {}],
        [add, { a: 1 }],
        [needy, {}],
        ["../runs", {}],
      ]),
    ).toMatchObject([
      { code: "tool_error", message: `${broken}: broken pipe`, runId: expect.any(String) },
      {
        code: "tool_not_found",
        message: expect.stringContaining("no_such_tool_a1b2: No tool named"),
      },
      { code: "invalid_input", message: expect.stringContaining(`${add}: `), errors: [{}] },
      {
        code: "credentials_missing",
        message: expect.stringContaining(`${needy}: ${needy} needs NOT_THERE`),
      },
      { code: "tool_not_found" },
    ]);
    const { status, error } = await run(relay, { calls: [[broken, {}]], isCaught: false });
    expect(status).toBe("failed");
    expect(error).toMatchObject({ code: "tool_error", message: `${broken}: broken pipe` });
  });

  it("rejects recursion through other tools, and shows the chain", async () => {
    const other = await makeRelay();
    const [{ results: inner }] = await results([[other, { calls: [[relay, { calls: [] }]] }]]);
    expect(inner).toMatchObject([{ code: "forbidden" }]);
    expect(inner[0].message).toContain(`${relay} → ${other} → ${relay}`);
  });

  it("is limited in nesting depth and in the total number of calls", async () => {
    const [second, third, fourth] = [await makeRelay(), await makeRelay(), await makeRelay()];
    const down = (names: string[], last: [string, unknown]): [string, unknown] => {
      const [name, ...rest] = names;
      return name === undefined ? last : [name, { calls: [down(rest, last)] }];
    };
    const allowed = await results([down([second, third], [add, { a: 1, b: 2 }])]);
    expect(allowed[0].results[0].results[0]).toEqual({ sum: 3 });
    const refused = await results([down([second, third, fourth], [add, { a: 1, b: 2 }])]);
    expect(refused[0].results[0].results[0].results[0]).toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("at most 3 deep"),
    });
    const many = Array.from({ length: 12 }, (): [string, unknown] => [add, { a: 1, b: 1 }]);
    const both = await results([
      [second, { calls: many }],
      [third, { calls: many }],
    ]);
    const codes = both.flatMap(({ results: each }: { results: { code?: string }[] }) =>
      each.map(({ code }) => code),
    );
    expect(codes.filter((code: unknown) => code === "forbidden")).toHaveLength(6);
  });

  it("passes files that it may open, and opens files that a child saved", async () => {
    const upload = async (text: string) =>
      (
        await test.call("POST", "/upload", {
          fileName: "a.txt",
          mimeType: "text/plain",
          contentBase64: Buffer.from(text).toString("base64"),
        })
      ).body.fileId;
    const [given, foreign] = [await upload("given"), await upload("foreign")];
    const upper = await test.makeTool(
      `export default async ({ file }, ctx) => {
        const text = (await (await ctx.files.open(file)).text()).toUpperCase();
        return { saved: await ctx.files.save({ name: "b.txt", mimeType: "text/plain", body: text }) };
      }`,
      {
        inputSchema: { type: "object", properties: { file: { type: "string" } } },
        fileFields: ["file"],
      },
    );
    const outer = await test.makeTool(
      `export default async ({ file, other, name }, ctx) => {
        const refusal = await ctx.tools.run(name, { file: other }).catch((error) => error.code);
        const { saved } = await ctx.tools.run(name, { file });
        const again = await ctx.tools.run(name, { file: saved.fileId });
        return { refusal, text: await (await ctx.files.open(again.saved.fileId)).text() };
      }`,
      {
        inputSchema: { type: "object", properties: { file: { type: "string" } } },
        fileFields: ["file"],
      },
    );
    const { output } = await run(outer, { file: given, other: foreign, name: upper });
    expect(output).toEqual({ refusal: "invalid_input", text: "GIVEN" });
  });

  it("receives the output of a private child, and is private, although the database refuses that at first", async () => {
    const { db } = test.service.context;
    const hidden = await test.makeTool("export default () => ({ done: true });", {
      visibility: "private",
    });
    const once = await makeRelay();
    const accept = await refuseUpdates(db, "runs", "old.is_private = 0 and new.is_private = 1");
    const parentId = await start(once, { calls: [[hidden, {}]] });
    await expect
      .poll(async () =>
        (await childrenOf(parentId)).map(({ status }: { status: string }) => status),
      )
      .toEqual(["completed"]);
    await sleep(100);
    expect((await recordOf(parentId)).status).toBe("running");
    await accept();
    await expect.poll(async () => (await recordOf(parentId)).status).toBe("completed");
    expect((await recordOf(parentId)).output).toEqual({ results: [{ done: true }] });
    const rows = await db.kysely
      .selectFrom("runs")
      .select("is_private")
      .where("tool_name", "=", once)
      .execute();
    expect(rows).toEqual([{ is_private: 1 }]);
  });

  it("leaves no secret in the record of a child", async () => {
    const value = "sk-live-0123456789abcdef";
    const credential = {
      name: "CHILD_KEY",
      value,
      hosts: ["api.example.com"],
      exposable: true,
    };
    await test.call("POST", "/credentials", credential);
    const leak = await test.makeTool(
      "export default async ({ name }, ctx) => ctx.tools.run(name, { ms: 1, [ctx.credentials.CHILD_KEY]: [ctx.credentials.CHILD_KEY] })",
      { credentials: [{ name: "CHILD_KEY", expose: true }] },
    );
    const { runId, status } = await run(leak, { name: sleeper });
    expect(status).toBe("completed");
    const { text } = await test.call("GET", `/runs?parentRunId=${runId}`);
    expect(text).not.toContain(value);
    expect(text).toContain("[redacted CHILD_KEY]");
  });
});

describe("a tool installed from another workspace", () => {
  it("runs tools of that workspace and none of the installing workspace", async () => {
    const id = await test.addWorkspace();
    const person = await test.addPerson(id, "builder");
    const key = { authorization: `Bearer ${person.apiKey}` };
    const asOther = (method: string, path: string, body?: unknown) =>
      test.call(method, path, body, key);
    const own = (await asOther("POST", "/tools", draftOf("export default () => ({ mine: 1 })")))
      .body.name;
    const theirs = await test.makeTool("export default () => ({ theirs: 1 })", {
      visibility: "public",
    });
    const foreign = await makeRelay({ visibility: "public" });
    for (const name of [foreign, theirs]) await asOther("POST", `/tools/${name}/install`);
    const calls = [
      [own, {}],
      [theirs, {}],
    ];
    const { body } = await asOther("POST", `/run/${foreign}`, { calls });
    expect(body.output.results).toMatchObject([
      {
        code: "forbidden",
        message: expect.stringContaining("A tool installed from another workspace"),
      },
      { theirs: 1 },
    ]);
    const makes = draftOf(
      `export default async (input, ctx) => ({ results: [await ctx.tools.run("${theirs}", {}), await ctx.tools.run("${own}", {})] })`,
    );
    const mine = (await asOther("POST", "/tools", makes)).body.name;
    const ran = await asOther("POST", `/run/${mine}`, {});
    expect(ran.body.output.results).toEqual([{ theirs: 1 }, { mine: 1 }]);
  });
});

describe("the end of a parent run", () => {
  const caller = () =>
    test.makeTool(
      `export default async ({ name, how }, ctx) => {
        const child = ctx.tools.run(name, { ms: 60_000 });
        child.catch(() => {});
        if (how === "wait") return child;
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        if (how === "throw") throw new Error("enough");
        return { early: true };
      }`,
      { timeoutMs: 3_000, idempotent: true },
    );

  it.each([
    ["return", "completed"],
    ["throw", "failed"],
    ["wait", "failed"],
  ])("ends its children when its code ends with %s", async (how, status) => {
    const parentId = await start(await caller(), { name: sleeper, how });
    const child = await runningChild(parentId);
    await expect
      .poll(async () => (await recordOf(parentId)).status, { timeout: 8_000 })
      .toBe(status);
    const ended = await recordOf(child.runId);
    expect(ended).toMatchObject({ status: "cancelled", parentRunId: parentId });
    expect(ended.finishedAt <= (await recordOf(parentId)).finishedAt).toBe(true);
  });

  it("ends its children when it is cancelled, while a child can be cancelled alone", async () => {
    const parentId = await start(await caller(), { name: sleeper, how: "wait" });
    const child = await runningChild(parentId);
    expect((await test.call("POST", `/runs/${parentId}/cancel`)).body.status).toBe("cancelled");
    expect((await recordOf(child.runId)).status).toBe("cancelled");
    const otherId = await start(relay, { calls: [[sleeper, { ms: 60_000 }]] });
    const other = await runningChild(otherId);
    expect((await test.call("POST", `/runs/${other.runId}/cancel`)).body.status).toBe("cancelled");
    await expect.poll(async () => (await recordOf(otherId)).status).toBe("completed");
    expect((await recordOf(otherId)).output.results).toMatchObject([
      { code: "cancelled", message: `${sleeper}: The run was cancelled.`, runId: other.runId },
    ]);
  });

  it("ends its children when its node dies, even if the parent is retried", async () => {
    const { context } = test.service;
    const parentId = await start(await caller(), { name: sleeper, how: "wait" });
    const child = await runningChild(parentId);
    await context.runs.queue.stop();
    expect(await recoverOrphanedRuns(context, ["another node"])).toBe(2);
    expect(await recordOf(parentId)).toMatchObject({ status: "running", attempt: 2, queued: true });
    expect(await recordOf(child.runId)).toMatchObject({
      status: "failed",
      attempt: 1,
      error: { code: context.db.dialect === "sqlite" ? "interrupted" : "sandbox_lost" },
    });
    await context.runs.activeRuns.get(parentId)?.ended;
    await test.call("POST", `/runs/${parentId}/cancel`);
  });
});

describe("graceful shutdown", () => {
  it("lets a run start child runs until the grace period ends, then ends both", async () => {
    const own = test;
    test = await startTestService();
    const napper = await test.makeTool(
      "export default async ({ ms }) => { await new Promise((r) => setTimeout(r, ms)); return {}; }",
    );
    const repeats = await test.makeTool(
      `export default async ({ name }, ctx) => {
        for (;;) await ctx.tools.run(name, { ms: 200 });
      }`,
    );
    const { context } = test.service;
    const parentId = await start(repeats, { name: napper });
    await runningChild(parentId);
    const before = (await childrenOf(parentId)).length;
    await stopRuns(context, 2_000);
    const parent = await recordOf(parentId);
    expect(parent).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    const children = await childrenOf(parentId);
    expect(children.length).toBeGreaterThan(before);
    const states = children.map(({ status }: { status: string }) => status);
    expect(states.slice(1)).toEqual(states.slice(1).map(() => "completed"));
    expect(["completed", "cancelled"]).toContain(states[0]);
    expect(context.runs.activeRuns.size).toBe(0);
    await test.stop();
    test = own;
  });
});

describe("a small number of child slots", () => {
  let few: TestService;
  let own: TestService;
  beforeAll(async () => {
    own = test;
    few = await startTestService({
      SANDBOX_MAX_PROCESSES: "2",
      SANDBOX_CHILD_PROCESSES: "3",
      RUN_CHILD_DEPTH: "3",
      RUN_CHILD_WAIT_MS: "55000",
      RATE_LIMIT_RUNS_PER_MINUTE: "0",
    });
    test = few;
  });
  afterAll(async () => {
    await few.stop();
    test = own;
  });

  it("does not deadlock many runs that nest three deep", async () => {
    const leaf = await test.makeTool("export default () => ({ deep: 1 })");
    const makeLevel = (next: string) =>
      test.makeTool(
        `export default async (input, ctx) => {
          const [one, two] = await Promise.all([1, 2].map(() => ctx.tools.run("${next}", {})));
          return { deep: 1 + Math.min(one.deep, two.deep) };
        }`,
      );
    const top = await makeLevel(await makeLevel(await makeLevel(leaf)));
    const runs = await Promise.all(Array.from({ length: 8 }, () => run(top, {})));
    const ends = await Promise.all(
      runs.map(async ({ runId }) => {
        await expect
          .poll(async () => (await recordOf(runId)).status, { timeout: 50_000 })
          .not.toBe("running");
        return recordOf(runId);
      }),
    );
    expect(ends.map(({ status, output, error }) => error ?? [status, output])).toEqual(
      ends.map(() => ["completed", { deep: 4 }]),
    );
    const { context } = test.service;
    expect(context.runs.childSlots.running()).toBe(0);
    expect(context.sandbox.stats()).toMatchObject({ leased: 0, waiting: 0 });
  });
});

describe("a child run", () => {
  it("counts toward the limits of the caller, and waits for a slot for a limited time", async () => {
    const own = test;
    test = await startTestService({
      RATE_LIMIT_RUNS_PER_MINUTE: "7",
      SANDBOX_CHILD_PROCESSES: "1",
      RUN_CHILD_DEPTH: "1",
      RUN_CHILD_WAIT_MS: "300",
    });
    const nap = await test.makeTool(
      "export default async () => { await new Promise((r) => setTimeout(r, 1_500)); return {}; }",
    );
    relay = await makeRelay();
    const busy = await results([
      [nap, {}],
      [nap, {}],
    ]);
    // Either call may arrive first.
    expect(busy.toSorted((one: object) => ("code" in one ? 1 : -1))).toMatchObject([
      {},
      {
        code: "unavailable",
        message: expect.stringContaining("No sandbox became available within 300 ms"),
      },
    ]);
    expect(busy).toContainEqual({});
    const quick = await test.makeTool("export default () => ({ done: true })");
    const after: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      after.push(...(await results([[quick, {}]])));
      await sleep(10);
    }
    expect(after).toEqual([{ done: true }, { done: true }]);
    expect(await results([[quick, {}]])).toMatchObject([
      {
        code: "rate_limited",
        message: expect.stringContaining(
          `${quick}: The limit on runs per minute for one API key or signed-in user (7)`,
        ),
      },
    ]);
    const refused = await test.call("POST", `/run/${relay}`, { calls: [] });
    expect(refused.body).toMatchObject({ status: 429, code: "rate_limited" });
    await test.stop();
    test = own;
  });
});
