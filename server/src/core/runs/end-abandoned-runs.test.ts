import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endForgottenRuns } from "#core/runs";
import { newId } from "#lib/ids";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { endAbandonedRuns } from "./end-abandoned-runs.ts";
import { insertRun } from "./run-store.ts";

let test: TestService;
let name: string;
beforeAll(async () => {
  test = await startTestService();
  name = await test.makeTool(
    "export default ({ ms }) => new Promise((resolve) => setTimeout(() => resolve({}), ms))",
  );
});
afterAll(() => test.stop());

/** A run that some node began and never ended. */
async function leaveRun(nodeId: string, createdAt: number): Promise<string> {
  const { context } = test.service;
  const id = newId();
  await insertRun(context.db, {
    id,
    workspace_id: test.workspaceId,
    tool_id: newId(),
    tool_name: name,
    tool_version: 1,
    user_id: newId(),
    status: "running",
    queued: 0,
    via: "rest",
    actor: JSON.stringify({ userId: null }),
    request_id: null,
    ip: null,
    input: "{}",
    node_id: nodeId,
    created_at: createdAt,
    started_at: createdAt,
  });
  return id;
}

describe("runs that nobody works on", () => {
  it("end when their node is no more, once, with an event", async () => {
    const { context } = test.service;
    const id = await leaveRun(newId(), Date.now());
    const live = [context.nodeId];
    const counts = await Promise.all([
      endAbandonedRuns(context, live, "sandbox_lost"),
      endAbandonedRuns(context, live, "sandbox_lost"),
    ]);
    expect(counts.toSorted()).toEqual([0, 1]);
    const { body } = await test.call("GET", `/runs/${id}`);
    expect(body).toMatchObject({ status: "failed", error: { code: "sandbox_lost" } });
    const { body: events } = await test.call("GET", `/audit-events?target=${id}`);
    expect(events).toMatchObject([{ action: "run.create", outcome: "sandbox_lost" }]);
  });

  it("end when this node has forgotten them, and those it works on go on", async () => {
    const { context } = test.service;
    const forgotten = await leaveRun(context.nodeId, Date.now() - 60_000);
    const young = await leaveRun(context.nodeId, Date.now());
    const { body: kept } = await test.call(
      "POST",
      `/run/${name}`,
      { ms: 20_000 },
      { prefer: "wait=0" },
    );
    const { clock } = context;
    expect(await endForgottenRuns(context)).toBe(1);
    context.clock = { now: () => Date.now() + 60_000 };
    expect(await endForgottenRuns(context)).toBe(1);
    context.clock = clock;
    const statuses = await Promise.all(
      [forgotten, young, kept.runId].map(
        async (id) => (await test.call("GET", `/runs/${id}`)).body.status,
      ),
    );
    expect(statuses).toEqual(["failed", "failed", "running"]);
    await test.call("POST", `/runs/${kept.runId}/cancel`);
  });
});
