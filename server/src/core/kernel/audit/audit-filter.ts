import type { AuditEventTable } from "#db";

export type AuditFilter = {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  /** Text that the event is about, see `isAbout`. */
  q?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
};

export type Page = { limit: number; after: string | undefined; sort?: "newest" | "oldest" };

/** A page of events. If it is not full, the next page continues after `scannedTo`, which is undefined at the end. */
export type Found = { rows: AuditEventTable[]; scannedTo: string | undefined };

/** A number of events, which is a lower limit if it is not exact. */
export type Counted = { count: number; isExact: boolean };
