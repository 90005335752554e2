import { ServiceError } from "#core/errors";

/** Decides when a run of a workspace may start. */
export type Admission = {
  /**
   * A place for one run: free at once, or `queued` with a promise of it. Throws `unavailable` when
   * too many wait already.
   */
  enter(workspaceId: string): Place;
  stats(): { running: number; queued: number };
};

export type Place = {
  /** Undefined when the run may start now. */
  queued: Promise<void> | undefined;
  /** Gives the place back, also when it was never reached. Further calls do nothing. */
  leave(): void;
};

type Waiter = { start: () => void };
type Workspace = { running: number; waiting: Waiter[] };

/** Lets each workspace run a number of tools at once and queue the others in order, in this process. */
export function createAdmission(limits: { perWorkspace: number; maxQueued: number }): Admission {
  const workspaces = new Map<string, Workspace>();
  let queued = 0;
  let running = 0;

  const leaveRunning = (workspaceId: string, workspace: Workspace) => {
    const next = workspace.waiting.shift();
    if (next !== undefined) {
      queued -= 1;
      next.start();
      return;
    }
    running -= 1;
    workspace.running -= 1;
    if (workspace.running === 0) workspaces.delete(workspaceId);
  };

  return {
    enter(workspaceId) {
      const workspace = workspaces.get(workspaceId) ?? { running: 0, waiting: [] };
      workspaces.set(workspaceId, workspace);
      let state: "waiting" | "running" | "left" = "running";
      const leave = () => {
        if (state === "left") return;
        if (state === "running") leaveRunning(workspaceId, workspace);
        else {
          workspace.waiting.splice(workspace.waiting.indexOf(waiter), 1);
          queued -= 1;
        }
        state = "left";
      };
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter: Waiter = {
        start: () => {
          state = "running";
          resolve();
        },
      };
      if (workspace.running < limits.perWorkspace) {
        workspace.running += 1;
        running += 1;
        return { queued: undefined, leave };
      }
      if (queued >= limits.maxQueued) {
        throw new ServiceError("unavailable", "Too many runs are waiting. Try again.", {
          retryAfterSeconds: 5,
        });
      }
      state = "waiting";
      queued += 1;
      workspace.waiting.push(waiter);
      return { queued: promise, leave };
    },
    stats: () => ({ running, queued }),
  };
}
