/** Counts what runs in this process and says whether one more may. */
export type Admission = {
  /**
   * A place for one run, or undefined when it has to wait. `busyElsewhere` is how many runs of the
   * workspace are at work on other nodes.
   */
  enter(workspaceId: string, busyElsewhere: number): Place | undefined;
  /** Places that are left on this node, whoever asks. */
  free(): number;
  running(): number;
};

export type Place = {
  /** Gives the place back. Further calls do nothing. */
  leave(): void;
};

type Options = {
  perWorkspace: number;
  perNode: number;
  /** Called when a place was given back: somebody in the queue may have it. */
  onLeave: () => void;
};

export function createAdmission({ perWorkspace, perNode, onLeave }: Options): Admission {
  const workspaces = new Map<string, number>();
  let running = 0;
  return {
    enter(workspaceId, busyElsewhere) {
      const own = workspaces.get(workspaceId) ?? 0;
      if (running >= perNode || own + busyElsewhere >= perWorkspace) return undefined;
      running += 1;
      workspaces.set(workspaceId, own + 1);
      let isLeft = false;
      return {
        leave() {
          if (isLeft) return;
          isLeft = true;
          running -= 1;
          const left = (workspaces.get(workspaceId) ?? 1) - 1;
          if (left === 0) workspaces.delete(workspaceId);
          else workspaces.set(workspaceId, left);
          onLeave();
        },
      };
    },
    free: () => perNode - running,
    running: () => running,
  };
}
