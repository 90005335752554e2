import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { createCluster } from "#core/kernel";
import { createActiveRun } from "./active-runs.ts";
import type { ActiveRun } from "./active-runs.ts";
import { createRunsState } from "./context.ts";
import { stopRuns } from "./stop-runs.ts";

/** The state of a node that has admitted a run and still writes it. */
function admitRun() {
  const runs = createRunsState(readConfig({}));
  const slot = runs.admission.acquire("workspace", { running: 0, asking: 0 });
  return { cluster: createCluster(), runs, slot };
}

function activate({ runs }: ReturnType<typeof admitRun>): ActiveRun {
  const row = {
    id: "run",
    workspace_id: "workspace",
    user_id: "user",
    tool_name: "nap",
    attempt: 1,
    is_private: 0,
  };
  const active = createActiveRun(row);
  runs.activeRuns.set(active.id, active);
  return active;
}

describe("stopRuns", () => {
  it("waits for a run that was admitted but is not active yet, and does not interrupt it", async () => {
    const node = admitRun();
    let isStopped = false;
    const stopped = stopRuns(node, 30_000).then(() => (isStopped = true));
    await sleep(20);
    const active = activate(node);
    await sleep(100);
    expect({ isStopped, isInterrupted: active.abort.signal.aborted }).toEqual({
      isStopped: false,
      isInterrupted: false,
    });
    node.slot?.release();
    await stopped;
  });

  it("interrupts a run that becomes active after the grace period", async () => {
    const node = admitRun();
    const stopped = stopRuns(node, 10);
    await sleep(100);
    const { signal } = activate(node).abort;
    signal.addEventListener("abort", () => node.slot?.release());
    await stopped;
    expect(signal.aborted).toBe(true);
  });
});
