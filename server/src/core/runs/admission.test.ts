import { describe, expect, it } from "vitest";
import { createAdmission } from "./admission.ts";

describe("admission", () => {
  it("queues what is above a workspace's limit, in order, and not other workspaces", async () => {
    const admission = createAdmission({ perWorkspace: 1, maxQueued: 10 });
    const first = admission.enter("a");
    const second = admission.enter("a");
    const third = admission.enter("a");
    expect(first.queued).toBeUndefined();
    expect(admission.enter("b").queued).toBeUndefined();
    const order: string[] = [];
    void second.queued?.then(() => order.push("second"));
    void third.queued?.then(() => order.push("third"));
    first.leave();
    await second.queued;
    second.leave();
    await third.queued;
    expect(order).toEqual(["second", "third"]);
    expect(admission.stats()).toEqual({ running: 2, queued: 0 });
  });

  it("takes back a place that was never reached, once", () => {
    const admission = createAdmission({ perWorkspace: 1, maxQueued: 10 });
    const first = admission.enter("a");
    const second = admission.enter("a");
    second.leave();
    second.leave();
    expect(admission.stats()).toEqual({ running: 1, queued: 0 });
    first.leave();
    first.leave();
    expect(admission.stats()).toEqual({ running: 0, queued: 0 });
  });

  it("refuses when too many wait", () => {
    const admission = createAdmission({ perWorkspace: 1, maxQueued: 1 });
    admission.enter("a");
    admission.enter("a");
    expect(() => admission.enter("a")).toThrow(/Too many runs/);
  });
});
