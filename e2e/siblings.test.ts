import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canSeeProcesses, descendantsOf, endProcess, residentBytes } from "./src/processes.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

const mebibyte = 1024 * 1024;
const doubler = "export default ({ n }) => ({ doubled: n * 2 })";

let server: Server;
let doublerName: string;

beforeAll(async () => {
  server = await startServer({ RUN_MAX_CPU_MS: "2000", RUN_MAX_MEMORY_MB: "64" });
  doublerName = await server.makeTool(doubler);
});
afterAll(() => server?.stop());

/** Calls `work` for 0 to `count` - 1 with limited concurrency, and returns the results in order. */
async function inParallel<T>(
  count: number,
  width: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

const double = async (n: number) => {
  const { body } = expectStatus(200, await server.run(doublerName, { n }));
  return body as { runId: string; status: string; output: { doubled: number } };
};

/** Returns all runs of a tool, page by page. */
async function allRuns(
  toolName: string,
): Promise<{ runId: string; status: string; input: { n: number } }[]> {
  const runs = [];
  let path: string | undefined = `/runs?toolName=${toolName}&limit=200`;
  while (path !== undefined) {
    const answer = expectStatus(200, await server.call("GET", path));
    runs.push(...answer.body);
    const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
    path = next?.slice(`${server.baseUrl}/api/v1`.length);
  }
  return runs;
}

describe("runs next to misbehaving tools", () => {
  const offenders: [string, string, RegExp][] = [
    ["loops", "export default () => { for (;;); }", /^cpu_limit$/],
    ["loops while loading", "for (;;); export default () => ({})", /^cpu_limit$/],
    [
      "fills the heap",
      "export default () => { const all = []; for (;;) all.push(new Array(1000).fill({})); }",
      /^memory_limit$/,
    ],
    [
      "fills ArrayBuffers",
      "export default () => { const all = []; for (;;) all.push(new Uint8Array(8_000_000).fill(1)); }",
      /^memory_limit$/,
    ],
    [
      "fills WebAssembly memory",
      `export default () => {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
        for (;;) { memory.grow(160); new Uint8Array(memory.buffer).fill(1); }
      }`,
      /^memory_limit$/,
    ],
    [
      "logs without end",
      "export default () => { for (;;) console.log('x'.repeat(10_000)); }",
      /^(?:cpu_limit|memory_limit)$/,
    ],
    [
      "keeps timers running",
      "export default () => { const again = () => setTimeout(again, 0); for (let n = 0; n < 100; n++) again(); return new Promise(() => {}); }",
      /^(?:cpu_limit|timeout)$/,
    ],
  ];

  test(
    "completes a hundred runs of the same workspace",
    { ...proves("tool.fair", "run_error.cpu_limit", "run_error.memory_limit"), tags: ["nightly"] },
    async () => {
      const names = await Promise.all(
        offenders.map(([, code]) => server.makeTool(code, { timeoutMs: 20_000 })),
      );
      const bad = names.map(
        async (name) =>
          expectStatus(200, await server.call("POST", `/run/${name}`, {}, { prefer: "wait=0" }))
            .body,
      );
      const answers = await inParallel(100, 8, double);
      expect(answers.map(({ output }) => output)).toEqual(
        answers.map((_, n) => ({ doubled: n * 2 })),
      );
      for (const [index, accepted] of (await Promise.all(bad)).entries()) {
        const [what = "", , code = /^$/] = offenders[index] ?? [];
        const record = await server.finished(accepted.runId);
        expect(record.status, what).toBe("failed");
        expect(record.error.code, what).toMatch(code);
      }
      const health = await fetch(`${server.baseUrl}/readyz`);
      expect(health.status).toBe(200);
    },
  );

  test(
    "isolates a tool that changes its own globals",
    proves("tool.version_isolation", "tool.fair"),
    async () => {
      const spoiler = await server.makeTool(`export default () => {
      JSON.stringify = () => "spoiled";
      Object.prototype.spoiled = true;
      Array.prototype.push = () => { throw new Error("spoiled"); };
      globalThis.Promise = undefined;
      console.log = () => { throw new Error("spoiled"); };
      return {};
    }`);
      await server.run(spoiler);
      const answers = await inParallel(10, 2, double);
      expect(answers.every(({ output }, n) => output.doubled === n * 2)).toBe(true);
    },
  );
});

describe("globals that a run sets", () => {
  const counter =
    "export default () => { globalThis.count = (globalThis.count ?? 0) + 1; return { count: globalThis.count }; }";
  const moduleCounter = "let count = 0; export default () => ({ count: ++count })";
  const countOf = async (name: string) => {
    const { body } = expectStatus(200, await server.run(name));
    expect(body.status).toBe("completed");
    return body.output.count;
  };

  test(
    "hides globals from another tool with the same code",
    proves("tool.version_isolation"),
    async () => {
      const [one, other] = [await server.makeTool(counter), await server.makeTool(counter)];
      for (let round = 0; round < 3; round++) await countOf(one);
      expect(await countOf(other)).toBe(1);
    },
  );

  test("hides globals from another version", proves("tool.version_isolation"), async () => {
    const name = await server.makeTool(counter);
    for (let round = 0; round < 3; round++) await countOf(name);
    expectStatus(200, await server.call("PATCH", `/tools/${name}`, { title: "Next version" }));
    expect(await countOf(name)).toBe(1);
  });

  test.each([counter, moduleCounter])(
    "hides globals from the next run with isolation fresh: %s",
    proves("tool.isolation"),
    async (code) => {
      const name = await server.makeTool(code, { isolation: "fresh" });
      for (let round = 0; round < 5; round++) expect(await countOf(name)).toBe(1);
      const together = await inParallel(12, 6, () => countOf(name));
      expect(together).toEqual(together.map(() => 1));
    },
  );

  test(
    "hides globals and input from a concurrent run",
    proves("tool.isolation", "tool.context"),
    async () => {
      const name = await server.makeTool(`export default async ({ n }, ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      console.log("mine is " + n);
      return { n, runId: ctx.runId };
    }`);
      const answers = await inParallel(24, 12, async (n) => {
        const { body } = expectStatus(200, await server.run(name, { n }));
        const logs = await server.call("GET", `/runs/${body.runId}/logs`);
        return { body, messages: logs.body.map(({ message }: { message: string }) => message) };
      });
      for (const [n, { body, messages }] of answers.entries()) {
        expect(body.output).toEqual({ n, runId: body.runId });
        expect(messages).toEqual([`mine is ${n}`]);
      }
    },
  );
});

test(
  "records 1,000 runs once each and leaks no memory",
  {
    ...proves(
      "run.completed",
      "run.list",
      "list.cursor",
      "audit.every_run",
      "idempotency.runs_once",
    ),
    tags: ["nightly"],
  },
  async () => {
    const name = await server.makeTool(doubler);
    const once = async (n: number) => {
      const { body } = expectStatus(200, await server.run(name, { n }));
      expect(body).toMatchObject({ status: "completed", output: { doubled: n * 2 } });
      return String(body.runId);
    };
    const warmUp = 300;
    const first = await inParallel(warmUp, 16, once);
    const before = canSeeProcesses ? residentBytes(server.process.pid) : 0;
    const rest = await inParallel(1_000 - warmUp, 16, (index) => once(index + warmUp));
    const after = canSeeProcesses ? residentBytes(server.process.pid) : 0;
    const ids = [...first, ...rest];
    expect(new Set(ids).size).toBe(1_000);

    const records = await allRuns(name);
    expect(records).toHaveLength(1_000);
    expect(records.map(({ runId }) => runId).toSorted()).toEqual([...ids].toSorted());
    expect(records.every(({ status }) => status === "completed")).toBe(true);
    expect(new Set(records.map(({ input }) => input.n)).size).toBe(1_000);
    // Allows for memory that is not collected yet.
    expect((after - before) / mebibyte).toBeLessThan(60);

    const sample = ids.filter((_, index) => index % 100 === 0);
    for (const runId of sample) {
      const { body } = await server.call("GET", `/audit-events?target=${runId}`);
      expect(body).toHaveLength(1);
    }
  },
);

test.skipIf(!canSeeProcesses)(
  "ends the run of a lost sandbox process, and replaces the process",
  proves("run_error.sandbox_lost", "run.terminal"),
  async () => {
    const name = await server.makeTool(
      "export default () => new Promise((resolve) => setTimeout(resolve, 60_000))",
    );
    const { body } = await server.call("POST", `/run/${name}`, {}, { prefer: "wait=1" });
    expect(body.status).toBe("running");
    const sandboxes = descendantsOf(server.process.pid).filter(({ command }) =>
      /workerd/.test(command),
    );
    expect(sandboxes.length).toBeGreaterThan(0);
    for (const sandbox of sandboxes) endProcess(sandbox);
    expect(await server.finished(body.runId)).toMatchObject({
      status: "failed",
      error: { code: "sandbox_lost" },
    });
    expect((await double(4)).output).toEqual({ doubled: 8 });
  },
);

test("releases slots however runs end", proves("run.own_concurrency", "tool.fair"), async () => {
  const thrower = await server.makeTool("export default () => { throw new Error('x') }");
  const sleeper = await server.makeTool(
    "export default () => new Promise((resolve) => setTimeout(resolve, 60_000))",
  );
  await inParallel(40, 16, () => server.run(thrower));
  const sleeping = await inParallel(20, 20, async () => {
    const { body } = await server.call("POST", `/run/${sleeper}`, {}, { prefer: "wait=0" });
    return String(body.runId);
  });
  await inParallel(20, 20, (index) => server.call("POST", `/runs/${sleeping[index]}/cancel`));
  const metric = async (metricName: string) => {
    const text = await (await fetch(`${server.baseUrl}/metrics`)).text();
    return Number(new RegExp(`^${metricName} (\\d+)$`, "m").exec(text)?.[1]);
  };
  await until(
    "no run is in progress",
    15_000,
    async () => (await metric("toolhost_runs_running")) === 0,
  );
  expect(await metric("toolhost_runs_queued")).toBe(0);
  expect((await double(21)).output).toEqual({ doubled: 42 });
});
