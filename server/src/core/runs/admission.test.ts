import { describe, expect, it } from "vitest";
import { createAdmission } from "./admission.ts";

describe("admission", () => {
  it("lets a workspace run as many as it may at once, and tells when a place is free", () => {
    let left = 0;
    const admission = createAdmission({ perWorkspace: 2, perNode: 9, onLeave: () => (left += 1) });
    const first = admission.enter("a", 0);
    expect(admission.enter("a", 0)).toBeDefined();
    expect(admission.enter("a", 0)).toBeUndefined();
    first?.leave();
    first?.leave();
    expect(left).toBe(1);
    expect(admission.enter("a", 0)).toBeDefined();
    expect(admission.running()).toBe(2);
  });

  it("counts what the workspace runs on other nodes", () => {
    const admission = createAdmission({ perWorkspace: 2, perNode: 9, onLeave: () => undefined });
    expect(admission.enter("a", 2)).toBeUndefined();
    expect(admission.enter("a", 1)).toBeDefined();
    expect(admission.enter("a", 1)).toBeUndefined();
  });

  it("never fills the node beyond its places, whoever asks", () => {
    const admission = createAdmission({ perWorkspace: 2, perNode: 3, onLeave: () => undefined });
    for (const workspace of ["a", "a", "b"]) expect(admission.enter(workspace, 0)).toBeDefined();
    expect(admission.free()).toBe(0);
    expect(admission.enter("c", 0)).toBeUndefined();
  });
});
