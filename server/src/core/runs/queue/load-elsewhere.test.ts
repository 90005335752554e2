import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createLoadElsewhere } from "./load-elsewhere.ts";

function counter() {
  let calls = 0;
  return { read: async () => ({ running: ++calls, asking: 0 }), calls: () => calls };
}

describe("read", () => {
  it("reads once for concurrent and for consecutive calls of a workspace", async () => {
    const elsewhere = createLoadElsewhere();
    const { read, calls } = counter();
    const both = await Promise.all([elsewhere.read("a", read), elsewhere.read("a", read)]);
    expect([...both, await elsewhere.read("a", read)].map(({ running }) => running)).toEqual([
      1, 1, 1,
    ]);
    await elsewhere.read("b", read);
    expect(calls()).toBe(2);
  });

  it("reads again after a moment, and after an error", async () => {
    const elsewhere = createLoadElsewhere();
    const { read } = counter();
    await elsewhere.read("a", read);
    await sleep(110);
    expect(await elsewhere.read("a", read)).toEqual({ running: 2, asking: 0 });
    const fail = () => Promise.reject(new Error("no connection"));
    await expect(elsewhere.read("b", fail)).rejects.toThrow("no connection");
    expect(await elsewhere.read("b", read)).toEqual({ running: 3, asking: 0 });
  });
});
