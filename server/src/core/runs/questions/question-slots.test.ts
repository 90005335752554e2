import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countRunning } from "../queue/queue-store.ts";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let asker: string;
let worker: string;

beforeAll(async () => {
  test = await startTestService({ WORKSPACE_MAX_CONCURRENT_RUNS: "2" });
  asker = await test.makeTool(`export default async (input, ctx) => {
    const schema = { type: "object", properties: {} };
    const { action } = await ctx.ask({ message: "Go?", schema });
    return { action };
  }`);
  worker = await test.makeTool(
    `export default ({ ms }) => new Promise((done) => setTimeout(done, ms, { done: true }));`,
  );
});
afterAll(() => test?.stop());

const ask = async () => (await test.call("POST", `/run/${asker}`, {})).body;
const start = async (ms: number) =>
  String((await test.call("POST", `/run/${worker}`, { ms }, { prefer: "wait=0" })).body.runId);
const runOf = async (runId: string) => (await test.call("GET", `/runs/${runId}`)).body;
const stop = (runId: string) => test.call("POST", `/runs/${runId}/cancel`);

describe("a run that asks", () => {
  it("leaves its slot to other runs of the workspace, also to those that are queued", async () => {
    const long = await start(60_000);
    const other = await start(60_000);
    const queued = await start(0);
    expect(await runOf(queued)).toMatchObject({ status: "running", queued: true });
    await stop(other);
    await expect.poll(async () => (await runOf(queued)).status).toBe("completed");
    const asking = await ask();
    expect(asking.question.message).toBe("Go?");
    const load = (await countRunning(test.service.context.db)).get(test.workspaceId);
    expect(load).toEqual({ running: 2, asking: 1 });
    const { body: next } = await test.call("POST", `/run/${worker}`, { ms: 0 });
    expect(next).toMatchObject({ status: "completed" });
    await stop(long);
    const answer = { questionId: asking.question.id, action: "decline" };
    expect((await test.call("POST", `/runs/${asking.runId}/answers`, answer)).status).toBe(200);
    await expect
      .poll(async () => (await runOf(asking.runId)).output)
      .toEqual({ action: "decline" });
    expect((await countRunning(test.service.context.db)).get(test.workspaceId)).toBeUndefined();
  });

  it("starts a queued run when its question opens", async () => {
    const long = await start(60_000);
    const asking = ask();
    const queued = await start(0);
    await expect.poll(async () => (await runOf(queued)).status).toBe("completed");
    await stop(long);
    await stop((await asking).runId);
  });

  it("occupies a slot if too many others ask", async () => {
    const asking = [await ask(), await ask(), await ask()];
    const queued = await start(0);
    expect(await runOf(queued)).toMatchObject({ status: "running", queued: true });
    await stop(asking[0].runId);
    await expect.poll(async () => (await runOf(queued)).status).toBe("completed");
    for (const { runId } of asking.slice(1)) await stop(runId);
  });
});
