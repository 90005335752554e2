import { ServiceError } from "#core/kernel";
import type { KeyedRequest, StoredResponse } from "#core/kernel";
import { isNullError } from "#db";
import type { RunTable, SqlValue } from "#db";

/** The columns that are written at the beginning of a run, without those that the statement computes. */
export const runColumns = [
  "id",
  "workspace_id",
  "tool_id",
  "tool_name",
  "tool_version",
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
export type NewRun = Pick<RunTable, (typeof runColumns)[number] | "user_id" | "is_private">;

/** The Idempotency-Key of a run, with the headers of its response. */
export type RunKey = {
  request: KeyedRequest;
  headers: StoredResponse["headers"];
  /** `findKeyedRuns` finds the run by its key, so that its row has the key's record even after its end. */
  isSearched?: true;
};

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

/**
 * The run's user, or null if they are no longer a member, which the column does not allow: then nothing is written. Takes two
 * values: the IDs of workspace and user.
 */
function memberNow(lock: string): string {
  return `(select user_id from members where workspace_id = ? and user_id = ?${lock})`;
}

const isPrivate = {
  name: "is_private",
  postgres: isPrivateNow(" for share"),
  sqlite: isPrivateNow(""),
};

/**
 * The columns of an insert that are decided when the row is written. On PostgreSQL the removal of a member waits until an
 * unfinished run is written, and then cancels it.
 */
export const computedColumns = [
  isPrivate,
  { name: "user_id", postgres: memberNow(" for key share"), sqlite: memberNow("") },
];

/** The same for a run that has ended, which need not be cancelled. */
export const computedColumnsOfEnded = [
  isPrivate,
  { name: "user_id", postgres: memberNow(""), sqlite: memberNow("") },
];

/** Values for the computed columns. */
export function computedValues(run: NewRun): SqlValue[] {
  return [
    run.is_private,
    run.tool_id,
    run.workspace_id,
    run.parent_run_id,
    run.workspace_id,
    run.user_id,
  ];
}

/** What a statement throws that would write a run of a user who is no longer a member; another error is returned as it is. */
export function explainInsertError(error: unknown): unknown {
  return isNullError(error, { table: "runs", column: "user_id" }) ? notMember() : error;
}

export function notMember(): ServiceError {
  return new ServiceError("unauthenticated", "You are no longer a member of the workspace.");
}
