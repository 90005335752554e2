import { createLruMap } from "#lib/lru";
import type { Load } from "./admission.ts";

/** How many runs of a workspace execute on other nodes, as read a moment ago. */
export type LoadElsewhere = {
  /** Returns what `read` returned recently, or calls it. Concurrent calls for a workspace share one. */
  read(workspaceId: string, read: () => Promise<Load>): Promise<Load>;
};

/** A short run is written with its end, up to 100 ms after its start, so that no count is newer than this. */
const freshMs = 100;
const maxWorkspaces = 1_000;

/** With many runs per second, most of them need no statement of their own for this. */
export function createLoadElsewhere(): LoadElsewhere {
  const known = createLruMap<string, { load: Promise<Load>; readAt: number }>(maxWorkspaces);
  return {
    read(workspaceId, read) {
      const recent = known.get(workspaceId);
      if (recent !== undefined && performance.now() - recent.readAt < freshMs) return recent.load;
      const load = read();
      const entry = { load, readAt: performance.now() };
      known.set(workspaceId, entry);
      // The next call tries again.
      load.catch(() => (entry.readAt = Number.NEGATIVE_INFINITY));
      return load;
    },
  };
}
