import { describe, expect, it } from "vitest";
import type { Place } from "./admission.ts";
import { createChildPlaces } from "./child-places.ts";

const soon = { waitMs: 20, signal: new AbortController().signal };
const later = { waitMs: 60_000, signal: new AbortController().signal };
const at = (depth: number, workspaceId = "a") => ({ workspaceId, depth });

describe("places for children", () => {
  it("keep one of each depth that no other depth can take", async () => {
    const places = createChildPlaces({ places: 7, depths: 3 });
    const ofMany = (depth: number) =>
      Promise.all(["a", "b", "c", "d"].map((name) => places.enter(at(depth, name), soon)));
    const first = (await ofMany(1)).filter((place) => place !== undefined);
    const more = (await ofMany(1)).filter((place) => place !== undefined);
    expect([first.length, more.length]).toEqual([4, 1]);
    expect(await places.enter(at(1, "e"), soon)).toBeUndefined();
    expect(await places.enter(at(2), soon)).toBeDefined();
    expect(await places.enter(at(2), soon)).toBeUndefined();
    expect(await places.enter(at(3), soon)).toBeDefined();
    expect(places.running()).toBe(7);
  });

  it("leave half of what a depth may have to other workspaces", async () => {
    const places = createChildPlaces({ places: 8, depths: 1 });
    const own = await Promise.all(Array.from({ length: 8 }, () => places.enter(at(1), soon)));
    expect(own.filter((place) => place !== undefined)).toHaveLength(4);
    expect(await places.enter(at(1, "b"), soon)).toBeDefined();
  });

  it("go to the workspace with the fewest at work, then to who came first", async () => {
    const places = createChildPlaces({ places: 4, depths: 1 });
    const held: (Place | undefined)[] = [];
    for (const name of ["b", "c", "a", "a"]) held.push(await places.enter(at(1, name), soon));
    const order: string[] = [];
    const wait = (name: string, label: string) =>
      places.enter(at(1, name), later).then((place) => {
        order.push(label);
        return place;
      });
    const waiting = [wait("a", "a1"), wait("b", "b1"), wait("d", "d1"), wait("d", "d2")];
    for (const place of held) {
      place?.leave();
      place?.leave();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(waiting);
    expect(order).toEqual(["b1", "d1", "a1", "d2"]);
  });

  it("are not given to those who gave up", async () => {
    const places = createChildPlaces({ places: 1, depths: 1 });
    const place = await places.enter(at(1), soon);
    const abort = new AbortController();
    const called = places.enter(at(1), { waitMs: 60_000, signal: abort.signal });
    abort.abort();
    expect(await called).toBeUndefined();
    expect(await places.enter(at(1), later && { ...later, signal: abort.signal })).toBeUndefined();
    place?.leave();
    expect(places.running()).toBe(0);
  });

  it("let everybody end, whatever waits for whatever", async () => {
    const places = createChildPlaces({ places: 4, depths: 4 });
    let ended = 0;
    const work = async (workspaceId: string, depth: number): Promise<void> => {
      const place = await places.enter(at(depth, workspaceId), later);
      await new Promise((resolve) => setImmediate(resolve));
      if (depth < 4) await Promise.all([1, 2].map(() => work(workspaceId, depth + 1)));
      place?.leave();
      ended += 1;
    };
    const all = ["a", "b", "c"].flatMap((name) => Array.from({ length: 20 }, () => work(name, 1)));
    await Promise.all(all);
    expect(ended).toBe(60 * 15);
    expect(places.running()).toBe(0);
  });
});
