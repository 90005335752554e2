import type { RunsContext } from "#core/runs";
import { createSlots } from "#lib/slots";
import type { Slots } from "#lib/slots";

export type StatsContext = RunsContext & { stats: StatsState };

export type StatsState = {
  /** The workspaces whose figures are being read, which happens one request at a time. */
  reading: Map<string, { slots: Slots; count: number }>;
};

export function createStatsState(): StatsState {
  return { reading: new Map() };
}

/** Waits for other requests of the workspace, so that it cannot occupy the service with them. */
export async function inTurn<T>(
  { stats: { reading } }: StatsContext,
  workspaceId: string,
  read: () => Promise<T>,
): Promise<T> {
  const entry = reading.get(workspaceId) ?? { slots: createSlots(1), count: 0 };
  entry.count += 1;
  reading.set(workspaceId, entry);
  try {
    return await entry.slots.use(read);
  } finally {
    entry.count -= 1;
    if (entry.count === 0) reading.delete(workspaceId);
  }
}
