import { describe, expect, it } from "vitest";
import { createAdmission, noLoad } from "./admission.ts";

describe("acquire", () => {
  it("limits the runs of a workspace and reports each released slot once", () => {
    let released = 0;
    const onRelease = () => (released += 1);
    const admission = createAdmission({ perWorkspace: 2, perNode: 9, onRelease });
    const first = admission.acquire("a", noLoad);
    expect(admission.acquire("a", noLoad)).toBeDefined();
    expect(admission.acquire("a", noLoad)).toBeUndefined();
    first?.release();
    first?.release();
    expect(released).toBe(1);
    expect(admission.acquire("a", noLoad)).toBeDefined();
    expect(admission.running()).toBe(2);
  });

  it("counts the workspace's runs on other nodes", () => {
    const admission = createAdmission({ perWorkspace: 2, perNode: 9, onRelease: () => undefined });
    expect(admission.acquire("a", { running: 2, asking: 0 })).toBeUndefined();
    expect(admission.acquire("a", { running: 1, asking: 0 })).toBeDefined();
    expect(admission.acquire("a", { running: 1, asking: 0 })).toBeUndefined();
  });

  it("limits the runs of the node across workspaces", () => {
    const admission = createAdmission({ perWorkspace: 2, perNode: 3, onRelease: () => undefined });
    for (const workspace of ["a", "a", "b"])
      expect(admission.acquire(workspace, noLoad)).toBeDefined();
    expect(admission.available()).toBe(0);
    expect(admission.acquire("c", noLoad)).toBeUndefined();
  });
});

describe("setAsking", () => {
  it("frees the slot of the workspace, but not that of the node, while the run asks", () => {
    let released = 0;
    const onRelease = () => (released += 1);
    const admission = createAdmission({ perWorkspace: 2, perNode: 3, onRelease });
    const first = admission.acquire("a", noLoad);
    admission.acquire("a", noLoad);
    expect(admission.acquire("a", noLoad)).toBeUndefined();
    for (const isAsking of [true, true]) first?.setAsking?.(isAsking);
    expect([released, admission.running()]).toEqual([1, 2]);
    const third = admission.acquire("a", noLoad);
    expect(third).toBeDefined();
    expect(admission.acquire("b", noLoad)).toBeUndefined();
    third?.release();
    first?.setAsking?.(false);
    expect(admission.acquire("a", noLoad)).toBeUndefined();
    expect(admission.acquire("b", noLoad)).toBeDefined();
  });

  it("does nothing once the slot is released, which ends the question as well", () => {
    const admission = createAdmission({ perWorkspace: 1, perNode: 9, onRelease: () => undefined });
    const first = admission.acquire("a", noLoad);
    first?.setAsking?.(true);
    first?.release();
    first?.setAsking?.(true);
    expect(admission.acquire("a", noLoad)).toBeDefined();
    expect(admission.acquire("a", noLoad)).toBeUndefined();
  });

  it.each([
    [16, 24],
    [3, 5],
    [1, 2],
  ])("lets a workspace with %i slots have at most %i runs", (perWorkspace, count) => {
    const admission = createAdmission({ perWorkspace, perNode: 99, onRelease: () => undefined });
    const elsewhere = { running: 1, asking: 1 };
    for (let at = 1; at < count; at += 1) {
      const slot = admission.acquire("a", elsewhere);
      expect(slot).toBeDefined();
      slot?.setAsking?.(true);
    }
    expect(admission.acquire("a", elsewhere)).toBeUndefined();
  });
});

describe("idle", () => {
  it("resolves when the last slot is released", async () => {
    const admission = createAdmission({ perWorkspace: 2, perNode: 9, onRelease: () => undefined });
    await admission.idle();
    const [first, second] = [admission.acquire("a", noLoad), admission.acquire("b", noLoad)];
    let isIdle = false;
    const idle = admission.idle().then(() => (isIdle = true));
    first?.release();
    await Promise.resolve();
    expect(isIdle).toBe(false);
    second?.release();
    await idle;
    expect(admission.running()).toBe(0);
  });
});
