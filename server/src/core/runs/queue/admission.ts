/** Limits how many runs execute concurrently in this process. */
export type Admission = {
  /**
   * A slot for one run, or undefined when none is free. `runningElsewhere` is how many runs of the workspace execute on other
   * nodes.
   */
  acquire(workspaceId: string, runningElsewhere: number): Slot | undefined;
  /** Free slots of this node, for any workspace. */
  available(): number;
  running(): number;
  /** Resolves when no slot is taken. */
  idle(): Promise<void>;
};

export type Slot = {
  /** Frees the slot. Further calls do nothing. */
  release(): void;
};

type Options = {
  perWorkspace: number;
  perNode: number;
  /** Called when a slot becomes free. */
  onRelease: () => void;
};

export function createAdmission({ perWorkspace, perNode, onRelease }: Options): Admission {
  const workspaces = new Map<string, number>();
  let running = 0;
  let idle: PromiseWithResolvers<void> | undefined;
  return {
    acquire(workspaceId, runningElsewhere) {
      const own = workspaces.get(workspaceId) ?? 0;
      if (running >= perNode || own + runningElsewhere >= perWorkspace) return undefined;
      running += 1;
      workspaces.set(workspaceId, own + 1);
      let isReleased = false;
      return {
        release() {
          if (isReleased) return;
          isReleased = true;
          running -= 1;
          const left = (workspaces.get(workspaceId) ?? 1) - 1;
          if (left === 0) workspaces.delete(workspaceId);
          else workspaces.set(workspaceId, left);
          if (running === 0) {
            idle?.resolve();
            idle = undefined;
          }
          onRelease();
        },
      };
    },
    available: () => perNode - running,
    running: () => running,
    idle: () => {
      if (running === 0) return Promise.resolve();
      idle ??= Promise.withResolvers<void>();
      return idle.promise;
    },
  };
}
