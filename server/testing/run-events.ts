import type { AuditEventTable, Database } from "#db";
import { streamRunEvents } from "../src/core/kernel/audit/run-event-stream.ts";

/** All stored audit events of a workspace's runs, newest first, including those that are hidden from some users. */
export async function findRunEvents(db: Database, workspaceId: string): Promise<AuditEventTable[]> {
  const all = { range: {}, order: "newest", maxUnsealed: 100_000 } as const;
  const { events } = await streamRunEvents(db, workspaceId, all);
  return Array.fromAsync(events);
}
