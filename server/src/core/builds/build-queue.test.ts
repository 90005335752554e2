import { describe, expect, it } from "vitest";
import { createBuildQueue } from "./build-queue.ts";
import type { Owner } from "./build-queue.ts";

const staying = new AbortController().signal;

/** Enters the queue, and records when the slot was granted. */
function enter(queue: ReturnType<typeof createBuildQueue>, workspace: string, signal = staying) {
  return enterAs(queue, { workspaceId: workspace, userId: `user of ${workspace}` }, signal);
}

function enterAs(queue: ReturnType<typeof createBuildQueue>, owner: Owner, signal = staying) {
  const entry = { leave: undefined as (() => void) | undefined, entering: Promise.resolve() };
  entry.entering = queue.enter(owner, signal).then((leave) => {
    entry.leave = leave;
  });
  return entry;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const granted = (entries: ReturnType<typeof enter>[]) =>
  entries.map(({ leave }) => leave !== undefined);

describe("createBuildQueue", () => {
  it("limits one workspace to half of the slots, so that others need not wait", async () => {
    const queue = createBuildQueue(4, 100);
    const greedy = Array.from({ length: 10 }, () => enter(queue, "greedy"));
    const others = ["a", "b"].map((workspace) => enter(queue, workspace));
    await settled();
    expect(granted(greedy).filter(Boolean)).toHaveLength(2);
    expect(granted(others)).toEqual([true, true]);
    expect(queue.stats()).toEqual({ running: 4, queued: 8 });
  });

  it("limits one user with many workspaces to half of the slots", async () => {
    const queue = createBuildQueue(4, 100);
    const greedy = Array.from({ length: 10 }, (_, at) =>
      enterAs(queue, { workspaceId: `w${at}`, userId: "greedy" }),
    );
    // Neither a colleague nor a stranger waits for them, also in a workspace whose line is not empty.
    const others = ["w9", "other"].map((workspaceId) =>
      enterAs(queue, { workspaceId, userId: `user of ${workspaceId}` }),
    );
    await settled();
    expect(granted(greedy).filter(Boolean)).toHaveLength(2);
    expect(granted(others)).toEqual([true, true]);
    for (const { leave } of others) leave?.();
    await settled();
    expect(granted(greedy).filter(Boolean)).toHaveLength(2);
    for (const entry of greedy) {
      await entry.entering;
      entry.leave?.();
    }
    expect(queue.stats()).toEqual({ running: 0, queued: 0 });
  });

  it("assigns free slots to workspaces in turn, regardless of queue length", async () => {
    const queue = createBuildQueue(1, 100);
    const order: string[] = [];
    const run = async (workspace: string) => {
      const leave = await queue.enter({ workspaceId: workspace, userId: workspace }, staying);
      order.push(workspace);
      await settled();
      leave();
    };
    await Promise.all(["a", "a", "a", "a", "b", "b", "c"].map(run));
    expect(order).toEqual(["a", "b", "c", "a", "b", "a", "a"]);
  });

  it("removes cancelled builds from the queue", async () => {
    const queue = createBuildQueue(1, 100);
    const first = enter(queue, "a");
    const leaving = new AbortController();
    const left = enter(queue, "b", leaving.signal);
    const last = enter(queue, "c");
    await settled();
    leaving.abort(new Error("gone"));
    await expect(left.entering).rejects.toThrow("gone");
    expect(queue.stats()).toEqual({ running: 1, queued: 1 });
    first.leave?.();
    await last.entering;
    last.leave?.();
    last.leave?.();
    expect(queue.stats()).toEqual({ running: 0, queued: 0 });
  });

  it("rejects builds beyond the queue limit of one workspace only", async () => {
    const queue = createBuildQueue(1, 2);
    const entries = ["a", "a", "a"].map((workspace) => enter(queue, workspace));
    await expect(queue.enter({ workspaceId: "a", userId: "user" }, staying)).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 10,
    });
    entries.push(enter(queue, "b"));
    for (const entry of [entries[0], entries[3], entries[1], entries[2]]) {
      await entry?.entering;
      entry?.leave?.();
    }
    expect(queue.stats()).toEqual({ running: 0, queued: 0 });
  });
});
