import type { Generated } from "kysely";

export type AuditEventTable = {
  id: string;
  workspace_id: string;
  at: number;
  actor: string;
  user_id: string | null;
  via: string;
  action: string;
  target: string;
  outcome: string;
  request_id: string | null;
  ip: string | null;
  details: string;
  /** The only user who sees its target and details; not part of the hash. */
  private_to: string | null;
  /** Position in the workspace's chain; null until sealed. */
  sequence: number | null;
  hash: string | null;
};

/** Both ends of a workspace's chain: the newest link, and the last one that retention has deleted. */
export type AuditHeadTable = {
  workspace_id: string;
  sequence: number;
  hash: string;
  base_sequence: number;
  base_hash: string;
  /** Segments up to this position are merged. */
  merged_sequence: Generated<number>;
};

/** The audit event of a run until it is sealed. */
export type UnsealedRunEventTable = Omit<AuditEventTable, "sequence" | "hash">;

/** Sealed audit events of runs, with the smallest and the largest of their positions, IDs and times. */
export type AuditSegmentTable = {
  workspace_id: string;
  first_sequence: number;
  last_sequence: number;
  first_id: string;
  last_id: string;
  first_at: number;
  last_at: number;
  event_count: number;
  /** The events as compressed JSON. */
  body: Buffer;
};
