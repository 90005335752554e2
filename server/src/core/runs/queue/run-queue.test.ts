import { describe, expect, it } from "vitest";
import { createRunQueue } from "./run-queue.ts";

describe("wakeIfQueued", () => {
  /** Whether a claim is requested, as far as one is before the next turn of the event loop. */
  async function isClaimRequested(next: Promise<boolean>): Promise<boolean> {
    const later = new Promise<"none">((resolve) => setImmediate(resolve, "none"));
    return (await Promise.race([next, later])) === true;
  }

  it("requests no claim while no run is known to be queued", async () => {
    const queue = createRunQueue();
    const next = queue.next();
    queue.wakeIfQueued();
    expect(await isClaimRequested(next)).toBe(false);
  });

  it("requests one claim after another node has queued a run", async () => {
    const queue = createRunQueue();
    const next = queue.next();
    queue.noteOthers();
    expect(await isClaimRequested(next)).toBe(false);
    queue.wakeIfQueued();
    expect(await isClaimRequested(next)).toBe(true);
    queue.update({ workspaceIds: [], isNodeFull: false });
    const following = queue.next();
    queue.wakeIfQueued();
    expect(await isClaimRequested(following)).toBe(false);
  });

  it("requests another claim for a run that was queued during one", async () => {
    const queue = createRunQueue();
    const next = queue.next();
    queue.wake();
    expect(await next).toBe(true);
    queue.noteOthers();
    queue.update({ workspaceIds: [], isNodeFull: false });
    const following = queue.next();
    queue.wakeIfQueued();
    expect(await isClaimRequested(following)).toBe(true);
  });
});
