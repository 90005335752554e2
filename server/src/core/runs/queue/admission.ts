/** Runs of a workspace that execute, and how many of them wait for the answer to a question. */
export type Load = { running: number; asking: number };

export const noLoad: Load = { running: 0, asking: 0 };

/**
 * How many runs of a workspace count for its limit. A run that asks waits for a person and only needs memory, so as many more runs as
 * half of the limit can execute meanwhile.
 */
export function countedRuns({ running, asking }: Load, perWorkspace: number): number {
  return running - Math.min(asking, Math.ceil(perWorkspace / 2));
}

/** Limits how many runs execute concurrently in this process. */
export type Admission = {
  /** A slot for one run, or undefined when none is free. `elsewhere` are the runs of the workspace on other nodes. */
  acquire(workspaceId: string, elsewhere: Load): Slot | undefined;
  /** Free slots of this node, for any workspace. */
  available(): number;
  running(): number;
  /** Resolves when no slot is taken. */
  idle(): Promise<void>;
};

export type Slot = {
  /** Frees the slot. Further calls do nothing. */
  release(): void;
  /** Whether the run waits for the answer to a question. Child runs ask none. */
  setAsking?(isAsking: boolean): void;
};

type Options = {
  perWorkspace: number;
  perNode: number;
  /** Called when a slot becomes free, or a run starts to wait for an answer. */
  onRelease: () => void;
};

export function createAdmission({ perWorkspace, perNode, onRelease }: Options): Admission {
  const workspaces = new Map<string, Load>();
  const add = (workspaceId: string, change: Load) => {
    const { running: own, asking } = workspaces.get(workspaceId) ?? noLoad;
    const load = { running: own + change.running, asking: asking + change.asking };
    if (load.running === 0) workspaces.delete(workspaceId);
    else workspaces.set(workspaceId, load);
  };
  let running = 0;
  let idle: PromiseWithResolvers<void> | undefined;
  return {
    acquire(workspaceId, elsewhere) {
      const own = workspaces.get(workspaceId) ?? noLoad;
      const all = {
        running: own.running + elsewhere.running,
        asking: own.asking + elsewhere.asking,
      };
      if (running >= perNode || countedRuns(all, perWorkspace) >= perWorkspace) return undefined;
      running += 1;
      add(workspaceId, { running: 1, asking: 0 });
      let state: "running" | "asking" | "released" = "running";
      return {
        setAsking(isAsking) {
          const next = isAsking ? "asking" : "running";
          if (state === "released" || state === next) return;
          state = next;
          add(workspaceId, { running: 0, asking: isAsking ? 1 : -1 });
          if (isAsking) onRelease();
        },
        release() {
          if (state === "released") return;
          add(workspaceId, { running: -1, asking: state === "asking" ? -1 : 0 });
          state = "released";
          running -= 1;
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
