import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createMemoryCounter } from "./counter.ts";
import type { Counter } from "./counter.ts";
import { blockOf, createLeases } from "./leases.ts";

/** A memory counter that records its requests. */
function watch(counter: Counter) {
  const asked: number[] = [];
  const add: Counter["add"] = async (key, points) => {
    asked.push(points);
    return counter.add(key, points);
  };
  return { asked, counter: { add } };
}

describe("the lease store", () => {
  it("sizes blocks so that at most a thirtieth of the limit is unused", () => {
    expect([1, 29, 59, 60, 600, 1_500, 1_000_000].map(blockOf)).toEqual([1, 1, 1, 2, 20, 50, 50]);
  });

  it("requests a block from the counter once", async () => {
    const { asked, counter } = watch(createMemoryCounter(60_000));
    const leases = createLeases({ counter, limit: 600, name: "test" });
    for (let n = 1; n <= 40; n++) {
      expect(await leases.take("a")).toMatchObject({ isAllowed: true, remaining: 600 - n });
    }
    expect(asked).toEqual([20, 20]);
  });

  it("shares one request among concurrent callers, and sends none once the limit is reached", async () => {
    const { asked, counter } = watch(createMemoryCounter(60_000));
    const leases = createLeases({ counter, limit: 100, name: "test" });
    const taken = await Promise.all(Array.from({ length: 500 }, () => leases.take("a")));
    expect(taken.filter(({ isAllowed }) => isAllowed)).toHaveLength(100);
    expect(asked).toHaveLength(34);
    expect(await leases.take("a")).toMatchObject({ isAllowed: false, remaining: 0 });
    expect(asked).toHaveLength(34);
  });

  it("leases points before they are taken, once, and none beyond the limit", async () => {
    const { asked, counter } = watch(createMemoryCounter(60_000));
    const leases = createLeases({ counter, limit: 30, name: "test" });
    await Promise.all([leases.refillIfEmpty("a"), leases.refillIfEmpty("a")]);
    expect(leases.refillIfEmpty("a")).toBeUndefined();
    await leases.take("a");
    expect(asked).toEqual([1]);
    for (let n = 2; n <= 30; n++) await leases.take("a");
    expect(leases.refillIfEmpty("a")).toBeUndefined();
    expect(asked).toHaveLength(30);
  });

  it("leases the remaining points when they are fewer than a block", async () => {
    const shared = createMemoryCounter(60_000);
    const leases = createLeases({ counter: shared, limit: 600, name: "test" });
    await shared.add("test:a", 597);
    const taken = await Promise.all(Array.from({ length: 5 }, () => leases.take("a")));
    expect(taken.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, false, false]);
  });

  it("allocates a returned point again", async () => {
    const leases = createLeases({ counter: createMemoryCounter(60_000), limit: 1, name: "test" });
    const first = await leases.take("a");
    expect(await leases.take("a")).toMatchObject({ isAllowed: false });
    first.refund();
    expect(await leases.take("a")).toMatchObject({ isAllowed: true });
  });

  it("drops leases at the end of their window", async () => {
    const leases = createLeases({ counter: createMemoryCounter(1_000), limit: 60, name: "test" });
    await leases.take("a");
    const spent = await Promise.all(Array.from({ length: 60 }, () => leases.take("a")));
    expect(spent.filter(({ isAllowed }) => isAllowed)).toHaveLength(59);
    await sleep(1_050);
    expect(await leases.take("a")).toMatchObject({ isAllowed: true, remaining: 59 });
  });

  it("rejects all waiting callers if the counter throws, and retries afterwards", async () => {
    let isAway = true;
    const memory = createMemoryCounter(60_000);
    const counter: Counter = {
      add: async (key, points) => {
        if (isAway) throw new Error("The database is away");
        return memory.add(key, points);
      },
    };
    const leases = createLeases({ counter, limit: 10, name: "test" });
    const taken = await Promise.allSettled([leases.take("a"), leases.take("a")]);
    expect(taken.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isAway = false;
    expect(await leases.take("a")).toMatchObject({ isAllowed: true, remaining: 9 });
  });

  it("evicts inactive subjects, and the oldest beyond the maximum", async () => {
    const counter = createMemoryCounter(1_000);
    const leases = createLeases({ counter, limit: 10, name: "test", maxSubjects: 100 });
    for (let n = 0; n < 150; n++) await leases.take(`early ${n}`);
    expect(leases.size()).toBe(100);
    await sleep(1_050);
    await leases.take("late");
    expect(leases.size()).toBe(1);
  });
});
