import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeStartsBreakable } from "./break-starts.ts";
import type { BreakableStarts } from "./break-starts.ts";
import { SandboxUnavailableError } from "./errors.ts";
import { failure, messages, output, run, testSandbox, until } from "./test-sandbox.ts";
import { workerds } from "../escape/support/processes.ts";
import type { Sandbox, SandboxOptions } from "./types.ts";

let sandbox: Sandbox | undefined;
afterEach(async () => {
  await sandbox?.stop();
  sandbox = undefined;
});

async function start(options: Partial<SandboxOptions>): Promise<Sandbox> {
  sandbox = await testSandbox(options);
  return sandbox;
}

const wait = (ms: number) =>
  `export default async () => { await new Promise((resolve) => setTimeout(resolve, ${ms})); return ${ms} }`;

describe("a sandbox that can no longer start processes", () => {
  let starts: BreakableStarts;
  beforeEach(() => {
    starts = makeStartsBreakable();
  });
  afterEach(() => starts.remove());

  test("reports it, refuses runs until it can, and recovers by itself", async () => {
    const errors: unknown[] = [];
    let recoveries = 0;
    const pool = await start({
      idleProcesses: 1,
      maxProcesses: 2,
      log: (level, message) => void (level === "error" && errors.push(message)),
      onRecovery: () => void (recoveries += 1),
    });
    expect(output(await run(pool, wait(1)))).toBe(1);
    const inProgress = run(pool, wait(60_000));
    await until(() => pool.stats().leased === 1 && pool.stats().processes === 2);
    starts.break();
    for (const { pid } of workerds()) process.kill(pid, "SIGKILL");
    expect(failure(await inProgress).code).toBe("sandbox_lost");
    // The first start that failed may be one that was killed.
    await until(() => JSON.stringify(pool.status()).includes("starts are broken"));
    expect(pool.status().ready).toBe(false);
    expect(await pool.check()).toEqual(pool.status());
    await expect(run(pool, wait(1))).rejects.toBeInstanceOf(SandboxUnavailableError);
    await until(() => pool.stats().failedStarts >= 3);
    expect(errors).toEqual(["A sandbox process could not be started"]);
    starts.repair();
    await until(() => pool.status().ready);
    expect(recoveries).toBe(1);
    expect(output(await run(pool, wait(1)))).toBe(1);
  });

  test("lets runs wait for the processes that it has", async () => {
    const pool = await start({ idleProcesses: 0, maxProcesses: 2 });
    const first = run(pool, wait(2_500));
    await until(() => pool.stats().leased === 1);
    starts.break();
    const second = run(pool, wait(1));
    await until(() => pool.stats().failedStarts >= 2);
    expect(pool.status().ready).toBe(true);
    expect([output(await first), output(await second)]).toEqual([2_500, 1]);
  });
});

describe("the process pool", () => {
  test("starts idle processes up to the configured number", async () => {
    const pool = await start({ idleProcesses: 3, maxProcesses: 4 });
    await until(() => pool.stats().processes === 3);
    await run(pool, wait(1));
    await until(() => pool.stats().started === 4);
    expect(pool.stats()).toMatchObject({ processes: 4, leased: 0 });
  });

  test("serves the runs of a workspace in order of arrival", async () => {
    const pool = await start({ maxProcesses: 1, idleProcesses: 1 });
    const order: number[] = [];
    const results = await Promise.all(
      [0, 1, 2, 3].map(async (n) => {
        const result = await run(pool, wait(100), { runId: `${n}` });
        order.push(n);
        return result;
      }),
    );
    expect(order).toEqual([0, 1, 2, 3]);
    for (const [n, { waitMs }] of results.entries()) expect(waitMs).toBeGreaterThanOrEqual(90 * n);
    for (const { durationMs } of results) expect(durationMs).toBeLessThan(1_000);
    expect(pool.stats()).toMatchObject({ started: 1, leased: 0, waiting: 0 });
  });

  test.each([
    ["of another workspace", "other"],
    ["of another tool", "workspace"],
  ])("serves a run %s while short runs keep all processes busy", async (_, workspaceId) => {
    const pool = await start({ maxProcesses: 2, idleProcesses: 1 });
    const over = new AbortController();
    const load = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) await run(pool, wait(3));
    });
    for (let n = 0; n < 3; n++) {
      const signal = AbortSignal.timeout(10_000);
      const result = await run(pool, `${wait(1)} // ${n}`, { workspaceId, signal });
      expect(result.status).toBe("completed");
      expect(result.waitMs).toBeLessThan(5_000);
    }
    over.abort();
    await Promise.all(load);
  });

  test("starts few processes for many short runs at once", async () => {
    const pool = await start({ idleProcesses: 0, maxProcesses: 20 });
    await run(pool, wait(1));
    const results = await Promise.all(Array.from({ length: 20 }, () => run(pool, wait(1))));
    expect(results.map(output)).toEqual(results.map(() => 1));
    expect(pool.stats().started).toBeLessThan(10);
  });

  test("starts processes for runs that wait for long ones", async () => {
    const pool = await start({ idleProcesses: 0, maxProcesses: 4 });
    await run(pool, wait(1));
    const results = await Promise.all(Array.from({ length: 4 }, () => run(pool, wait(3_000))));
    for (const { waitMs } of results) expect(waitMs).toBeLessThan(2_900);
    expect(pool.stats().started).toBe(4);
  });

  test("replaces idle processes of other workspaces when the limit is reached", async () => {
    const pool = await start({ maxProcesses: 2, idleProcesses: 0 });
    for (const workspaceId of ["a", "b", "c", "a"]) {
      expect(output(await run(pool, wait(1), { workspaceId }))).toBe(1);
      expect(pool.stats().processes).toBeLessThanOrEqual(2);
    }
    expect(pool.stats().started).toBe(4);
  });

  test("chooses processes by the isolates that they hold", async () => {
    const pool = await start({ maxProcesses: 4, idleProcesses: 1 });
    const tools = ["1", "2", "3"].map((n) => `${wait(80)} // ${n}`);
    await Promise.all(tools.map((tool) => run(pool, tool)));
    for (const tool of tools.toReversed()) expect((await run(pool, tool)).reused).toBe(true);
  });

  test("replaces processes by number of runs, age and memory", async () => {
    const pool = await start({ maxRunsPerProcess: 2, idleProcesses: 1 });
    const reused: boolean[] = [];
    for (let i = 0; i < 4; i++) reused.push((await run(pool, wait(1))).reused);
    expect(reused).toEqual([false, true, false, true]);
    await pool.stop();

    const aging = await start({ maxProcessAgeMs: 300, idleProcesses: 1 });
    await run(aging, wait(1));
    await until(() => aging.stats().started > 3);
    await aging.stop();

    const hoarding = await start({ idleProcesses: 1 });
    const hoard = `const kept = []; export default () => { kept.push(new Uint8Array(50 << 20).fill(1)); return kept.length }`;
    const kept: unknown[] = [];
    for (let i = 0; i < 4; i++) kept.push(output(await run(hoarding, hoard)));
    expect(kept).toEqual([1, 2, 3, 1]);
    expect(hoarding.stats()).toMatchObject({ killed: 1, unusable: 0 });
  });

  test("ends processes that are idle after a burst, and keeps the configured number", async () => {
    const pool = await start({ idleProcesses: 1, idleTimeoutMs: 400 });
    const burst = ["a", "b"].flatMap((workspaceId) =>
      [1, 2, 3].map(() => run(pool, wait(200), { workspaceId })),
    );
    expect((await Promise.all(burst)).map(output)).toEqual(Array.from(burst, () => 200));
    expect(pool.stats().processes).toBeGreaterThan(3);
    await until(() => pool.stats().processes === 1);
    // The one that is left may still be starting.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { started } = pool.stats();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(pool.stats()).toMatchObject({ processes: 1, started });
  });

  test("stops leasing processes that use CPU time between runs", async () => {
    const pool = await start({ idleProcesses: 1 });
    const module = `import { waitUntil } from "cloudflare:workers"; export default () => {
      waitUntil(new Promise(() => setTimeout(() => { for (;;); }, 50))); return "left a loop" }`;
    expect(output(await run(pool, module))).toBe("left a loop");
    await until(() => pool.stats().killed === 1);
    expect(pool.stats().unusable).toBe(1);
    expect(output(await run(pool, wait(1)))).toBe(1);
  });
});

describe("cancelling", () => {
  test("ends a run in progress with its log so far, even in a loop", async () => {
    const pool = await start({});
    const module = `export default () => { console.log("started"); for (;;); }`;
    const controller = new AbortController();
    const result = await run(pool, module, {
      signal: controller.signal,
      onLog: () => controller.abort(),
      limits: { cpuMs: 4_000 },
    });
    expect(result.status).toBe("cancelled");
    expect(messages(result)).toEqual(["started"]);
    expect(result.durationMs).toBeLessThan(3_500);
    expect(pool.stats()).toMatchObject({ leased: 0 });
  });

  test("removes a waiting run from the queue", async () => {
    const pool = await start({ maxProcesses: 1 });
    const first = run(pool, wait(400));
    const controller = new AbortController();
    const second = run(pool, wait(1), { signal: controller.signal });
    await until(() => pool.stats().waiting === 1);
    controller.abort();
    const result = await second;
    expect(result).toMatchObject({ status: "cancelled", durationMs: 0, logs: [] });
    expect(pool.stats().waiting).toBe(0);
    expect(output(await first)).toBe(400);
  });

  test("leases nothing if the signal is already aborted", async () => {
    const pool = await start({});
    const result = await run(pool, wait(1), { signal: AbortSignal.abort() });
    expect(result.status).toBe("cancelled");
  });
});

describe("stopping", () => {
  test("interrupts running tools, rejects waiting and new runs, and leaves no process", async () => {
    const pool = await start({ maxProcesses: 1 });
    const module = `export default () => { console.log("here"); return new Promise((r) => setTimeout(r, 9e3)) }`;
    const received: string[] = [];
    const onLog = ({ message }: { message: string }) => received.push(message);
    const running = run(pool, module, { onLog });
    const waiting = run(pool, wait(1));
    const refusal = waiting.then(
      () => "served",
      (error: unknown) => error,
    );
    await until(() => received.length === 1 && pool.stats().waiting === 1);
    await pool.stop();
    expect(failure(await running).code).toBe("interrupted");
    expect(messages(await running)).toEqual(["here"]);
    expect(await refusal).toBeInstanceOf(SandboxUnavailableError);
    await expect(run(pool, wait(1))).rejects.toBeInstanceOf(SandboxUnavailableError);
    expect(pool.stats()).toMatchObject({ processes: 0, leased: 0, waiting: 0 });
    expect(pool.status()).toMatchObject({ ready: false, problem: "The sandbox is stopping" });
    expect((await pool.check()).ready).toBe(false);
  });
});

describe("a process that is killed from outside", () => {
  test("fails its run as sandbox_lost, and the next run succeeds", async () => {
    const pool = await start({ maxProcesses: 1, isolation: "process" });
    const received: string[] = [];
    const onLog = ({ message }: { message: string }) => received.push(message);
    const module = `export default () => { console.log("here"); return new Promise((r) => setTimeout(r, 9e3)) }`;
    const running = run(pool, module, { onLog });
    await until(() => received.length === 1);
    for (const { pid } of workerds()) process.kill(pid, "SIGKILL");
    expect(failure(await running).code).toBe("sandbox_lost");
    expect(pool.stats().unusable).toBe(1);
    expect(output(await run(pool, wait(1)))).toBe(1);
  });

  test.each(["auto", "process"] as const)(
    "is reported as sandbox_lost behind the layer %s, regardless of the tool's output and memory",
    async (isolation) => {
      const ended: Record<string, unknown>[] = [];
      const pool = await start({
        maxProcesses: 1,
        isolation,
        log: (_level, _message, fields = {}) => void ended.push(fields),
      });
      const received: string[] = [];
      const onLog = ({ message }: { message: string }) => received.push(message);
      const module = `export default async () => {
        const report = "\\n<--- Last few GCs --->\\nlast resort; GC in old space requested\\n*** Received signal #6: Aborted\\n";
        console.error(report);
        Promise.reject(new Error(report));
        queueMicrotask(() => { throw new Error(report); });
        const held = new Uint8Array(70 * 1024 * 1024).fill(1);
        await new Promise((resolve) => setTimeout(resolve, 100));
        console.log("here");
        await new Promise((resolve) => setTimeout(resolve, 9e3));
        return held.length;
      }`;
      const running = run(pool, module, { onLog });
      await until(() => received.includes("here"));
      for (const { pid } of workerds()) process.kill(pid, "SIGKILL");
      expect(failure(await running).code).toBe("sandbox_lost");
      expect(ended).toContainEqual(expect.objectContaining({ cause: "sandbox_lost" }));
      expect(output(await run(pool, wait(1)))).toBe(1);
    },
  );
});
