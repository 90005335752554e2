import { afterEach, beforeEach, expect, it } from "vitest";
import { makeStartsBreakable } from "../../../../../sandbox/src/break-starts.ts";
import type { BreakableStarts } from "../../../../../sandbox/src/break-starts.ts";
import { workerds } from "../../../../../sandbox/escape/support/processes.ts";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let starts: BreakableStarts;
let test: TestService;
beforeEach(async () => {
  starts = makeStartsBreakable();
  test = await startTestService({
    SANDBOX_MAX_PROCESSES: "1",
    NODE_MAX_CONCURRENT_RUNS: "3",
    RUN_CHILD_DEPTH: "0",
  });
});
afterEach(async () => {
  starts.remove();
  await test.stop();
});

it("executes a run that waited when the sandbox broke as soon as the sandbox works, and accepts none until then", async () => {
  const tool = await test.makeTool(
    "export default ({ ms }) => new Promise((resolve) => setTimeout(() => resolve({ ms }), ms))",
  );
  const { sandbox } = test.service.context;
  const submit = async (ms: number) =>
    (await test.call("POST", `/run/${tool}`, { ms }, { prefer: "wait=0" })).body.runId as string;
  const read = async (id: string) => (await test.call("GET", `/runs/${id}`)).body;
  const lost = await submit(60_000);
  await expect.poll(() => sandbox.stats().leased).toBe(1);
  const waiting = test.call("POST", `/run/${tool}`, { ms: 1 }, { prefer: "wait=50" });
  await expect.poll(() => sandbox.stats().waiting).toBe(1);
  starts.break();
  for (const { pid } of workerds()) process.kill(pid, "SIGKILL");
  await expect.poll(() => read(lost)).toMatchObject({ error: { code: "sandbox_lost" } });
  await expect.poll(() => sandbox.status().ready).toBe(false);
  const [{ runId }] = (await test.call("GET", "/runs?limit=1")).body as [{ runId: string }];
  await expect.poll(() => read(runId)).toMatchObject({ status: "running", queued: true });
  expect(await test.call("POST", `/run/${tool}`, { ms: 1 })).toMatchObject({
    status: 503,
    body: { detail: expect.stringContaining("starts are broken") },
  });
  starts.repair();
  expect((await waiting).body).toMatchObject({ runId, status: "completed", output: { ms: 1 } });
  expect((await read(runId)).attempt).toBe(1);
});
