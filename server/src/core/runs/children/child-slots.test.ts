import { describe, expect, it } from "vitest";
import type { Slot } from "../queue/admission.ts";
import { createChildSlots } from "./child-slots.ts";

const soon = { waitMs: 20, signal: new AbortController().signal };
const later = { waitMs: 60_000, signal: new AbortController().signal };
const at = (depth: number, workspaceId = "a") => ({ workspaceId, depth });

describe("acquire", () => {
  it("reserves one slot for each depth", async () => {
    const slots = createChildSlots({ slots: 7, depths: 3 });
    const ofMany = (depth: number) =>
      Promise.all(["a", "b", "c", "d"].map((name) => slots.acquire(at(depth, name), soon)));
    const first = (await ofMany(1)).filter((slot) => slot !== undefined);
    const more = (await ofMany(1)).filter((slot) => slot !== undefined);
    expect([first.length, more.length]).toEqual([4, 1]);
    expect(await slots.acquire(at(1, "e"), soon)).toBeUndefined();
    expect(await slots.acquire(at(2), soon)).toBeDefined();
    expect(await slots.acquire(at(2), soon)).toBeUndefined();
    expect(await slots.acquire(at(3), soon)).toBeDefined();
    expect(slots.running()).toBe(7);
  });

  it("leaves half of a depth to other workspaces", async () => {
    const slots = createChildSlots({ slots: 8, depths: 1 });
    const own = await Promise.all(Array.from({ length: 8 }, () => slots.acquire(at(1), soon)));
    expect(own.filter((slot) => slot !== undefined)).toHaveLength(4);
    expect(await slots.acquire(at(1, "b"), soon)).toBeDefined();
  });

  it("prefers the workspace with the fewest running runs, then the order of arrival", async () => {
    const slots = createChildSlots({ slots: 4, depths: 1 });
    const held: (Slot | undefined)[] = [];
    for (const name of ["b", "c", "a", "a"]) held.push(await slots.acquire(at(1, name), soon));
    const order: string[] = [];
    const wait = (name: string, label: string) =>
      slots.acquire(at(1, name), later).then((slot) => {
        order.push(label);
        return slot;
      });
    const waiting = [wait("a", "a1"), wait("b", "b1"), wait("d", "d1"), wait("d", "d2")];
    for (const slot of held) {
      slot?.release();
      slot?.release();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(waiting);
    expect(order).toEqual(["b1", "d1", "a1", "d2"]);
  });

  it("returns undefined after an abort, and the slot stays free", async () => {
    const slots = createChildSlots({ slots: 1, depths: 1 });
    const slot = await slots.acquire(at(1), soon);
    const abort = new AbortController();
    const aborted = slots.acquire(at(1), { waitMs: 60_000, signal: abort.signal });
    abort.abort();
    expect(await aborted).toBeUndefined();
    expect(await slots.acquire(at(1), later && { ...later, signal: abort.signal })).toBeUndefined();
    slot?.release();
    expect(slots.running()).toBe(0);
  });

  it("lets all nested runs end without a deadlock", async () => {
    const slots = createChildSlots({ slots: 4, depths: 4 });
    let ended = 0;
    const work = async (workspaceId: string, depth: number): Promise<void> => {
      const slot = await slots.acquire(at(depth, workspaceId), later);
      await new Promise((resolve) => setImmediate(resolve));
      if (depth < 4) await Promise.all([1, 2].map(() => work(workspaceId, depth + 1)));
      slot?.release();
      ended += 1;
    };
    const all = ["a", "b", "c"].flatMap((name) => Array.from({ length: 20 }, () => work(name, 1)));
    await Promise.all(all);
    expect(ended).toBe(60 * 15);
    expect(slots.running()).toBe(0);
  });
});
