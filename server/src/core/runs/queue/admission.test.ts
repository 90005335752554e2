import { describe, expect, it } from "vitest";
import { createAdmission } from "./admission.ts";

describe("acquire", () => {
  it("limits the runs of a workspace and reports each released slot once", () => {
    let released = 0;
    const onRelease = () => (released += 1);
    const admission = createAdmission({ perWorkspace: 2, perNode: 9, onRelease });
    const first = admission.acquire("a", 0);
    expect(admission.acquire("a", 0)).toBeDefined();
    expect(admission.acquire("a", 0)).toBeUndefined();
    first?.release();
    first?.release();
    expect(released).toBe(1);
    expect(admission.acquire("a", 0)).toBeDefined();
    expect(admission.running()).toBe(2);
  });

  it("counts the workspace's runs on other nodes", () => {
    const admission = createAdmission({ perWorkspace: 2, perNode: 9, onRelease: () => undefined });
    expect(admission.acquire("a", 2)).toBeUndefined();
    expect(admission.acquire("a", 1)).toBeDefined();
    expect(admission.acquire("a", 1)).toBeUndefined();
  });

  it("limits the runs of the node across workspaces", () => {
    const admission = createAdmission({ perWorkspace: 2, perNode: 3, onRelease: () => undefined });
    for (const workspace of ["a", "a", "b"]) expect(admission.acquire(workspace, 0)).toBeDefined();
    expect(admission.available()).toBe(0);
    expect(admission.acquire("c", 0)).toBeUndefined();
  });
});

describe("idle", () => {
  it("resolves when the last slot is released", async () => {
    const admission = createAdmission({ perWorkspace: 2, perNode: 9, onRelease: () => undefined });
    await admission.idle();
    const [first, second] = [admission.acquire("a", 0), admission.acquire("b", 0)];
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
