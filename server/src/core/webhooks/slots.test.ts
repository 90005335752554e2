import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSlots } from "./slots.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Due = { id: string; workspace_id: string };
const hooks = (workspace: string, count: number): Due[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${workspace}${at}`,
    workspace_id: workspace,
  }));
/** Gives slots to webhooks until none is free. Returns their IDs. */
const fill = (slots: ReturnType<typeof createSlots>, due: readonly Due[]) => {
  const left = new Set(due);
  const taken: string[] = [];
  for (let next = slots.choose(left); next !== undefined; next = slots.choose(left)) {
    left.delete(next);
    slots.take(next, Promise.resolve());
    taken.push(next.id);
  }
  return taken;
};
/** Slots of a node that knows that these webhooks take so long. */
const slotsAfter = (due: readonly Due[], ms: number) => {
  const slots = createSlots();
  for (const one of due) {
    slots.take(one, Promise.resolve());
    vi.advanceTimersByTime(ms);
    slots.release(one.id);
  }
  return slots;
};

describe("createSlots", () => {
  it("gives the next slot to the workspace with the fewest", () => {
    const busy = Array.from({ length: 10 }, (_, at) => hooks(`w${at}-`, 20)).flat();
    const taken = fill(createSlots(), [...busy, ...hooks("last-", 1)]);
    expect(taken).toHaveLength(32);
    expect(taken).toContain("last-0");
  });

  it("gives a workspace four slots, and two of them to slow webhooks", () => {
    const slow = hooks("a", 5);
    const fast = hooks("b", 5).map((one) => ({ ...one, workspace_id: "a" }));
    const slots = slotsAfter(slow, 2_100);
    expect(fill(slots, slow)).toHaveLength(2);
    expect(fill(slots, [...slow, ...fast])).toEqual(["b0", "b1"]);
    expect(slots.isFull()).toBe(false);
  });

  it("gives half of the node to slow webhooks, however many workspaces have some", () => {
    const slow = Array.from({ length: 20 }, (_, at) => hooks(`w${at}-`, 1)).flat();
    // The other batches of the node run for longer than that, too.
    const slots = createSlots();
    for (const one of slow) slots.take(one, Promise.resolve());
    vi.advanceTimersByTime(14_000);
    for (const { id } of slow) slots.release(id);
    expect(fill(slots, slow)).toHaveLength(16);
    expect(fill(slots, hooks("fast", 1))).toEqual(["fast0"]);
  });

  it("regards a webhook as slow for ten times as long as its batch took", () => {
    const [one] = hooks("a", 1);
    if (one === undefined) throw new Error("there is none");
    const slots = slotsAfter([one], 14_000);
    vi.advanceTimersByTime(139_000);
    fill(slots, [one]);
    slots.release(one.id);
    expect(slots.isSlow(one.id)).toBe(true);
    vi.advanceTimersByTime(1_001);
    fill(slots, [one]);
    expect(slots.isSlow(one.id)).toBe(false);
  });
});
