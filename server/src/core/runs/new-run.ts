import type { KeyedRequest, StoredResponse } from "#core/kernel";
import type { RunTable, SqlValue } from "#db";

/** The columns that are written at the beginning of a run, without the one that the statement computes. */
export const runColumns = [
  "id",
  "workspace_id",
  "tool_id",
  "tool_name",
  "tool_version",
  "user_id",
  "status",
  "queued",
  "via",
  "actor",
  "request_id",
  "ip",
  "input",
  "sealed_input",
  "node_id",
  "created_at",
  "started_at",
  "idempotency_id",
  "attempt",
  "parent_run_id",
  "draft_id",
  "trace_context",
] as const satisfies readonly (keyof RunTable)[];

/** A run to insert. `is_private` is what its caller saw: the row may be private where this is not. */
export type NewRun = Pick<RunTable, (typeof runColumns)[number] | "is_private">;

/** The Idempotency-Key of a run, with the headers of its response. */
export type RunKey = { request: KeyedRequest; headers: StoredResponse["headers"] };

/**
 * Whether a run is private is decided when its row is written, since its tool or its parent may have become private after they
 * were looked up. On PostgreSQL both rows are locked until then, so that `hideUnfinishedRuns` misses no run. Takes four values:
 * whether the caller saw that it is private, the IDs of tool and workspace, and the parent's ID.
 */
function isPrivateNow(lock: string): string {
  return `case when ? = 1
    or (select visibility from tools where id = ? and workspace_id = ?${lock}) = 'private'
    or (select is_private from runs where id = ?${lock}) = 1
    then 1 else 0 end`;
}

/** The column `is_private` of an insert. */
export const isPrivate = {
  name: "is_private",
  postgres: isPrivateNow(" for share"),
  sqlite: isPrivateNow(""),
};

/** Values for {@link isPrivate}. */
export function privacyValues(run: NewRun): SqlValue[] {
  return [run.is_private, run.tool_id, run.workspace_id, run.parent_run_id];
}
