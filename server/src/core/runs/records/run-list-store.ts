import { maxCounted } from "@toolhost/contract";
import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { Database, RunTable, Schema } from "#db";
import { idsOfPage, indexRange } from "#db";
import { idFloor, isId } from "#lib/ids";
import { isUsed } from "./recorded-use.ts";
import type { RecordedUse } from "./recorded-use.ts";
import { isTitleLike } from "./run-titles.ts";

/** Columns that lists do not show. */
type Unlisted = "egress" | "credentials" | "sealed_input" | "trace_context";

/** Columns that lists show besides the input and output. */
const listColumns = [
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
  "error",
  "progress",
  "node_id",
  "attempt",
  "created_at",
  "started_at",
  "finished_at",
  "duration_ms",
  "cpu_ms",
  "logs_truncated",
  "cancel_requested",
  "idempotency_id",
  "parent_run_id",
  "draft_id",
  "batch_id",
  "is_private",
  "question",
  "sealed_answer",
  "feedback",
] as const satisfies readonly Exclude<keyof RunTable, "input" | "output" | Unlisted>[];

function ifSmall(column: "input" | "output") {
  const value = sql.ref(column);
  return sql<
    string | null
  >`case when length(${value}) <= ${sql.lit(maxListedCharacters)} then ${value} end`;
}

/** Lists leave out inputs and outputs with more characters. */
const maxListedCharacters = 16_384;

/** A run as lists show it, without a large input or output. */
export type ListedRun = Omit<RunTable, "input" | Unlisted> & { input: string | null };

export type RunFilter = RecordedUse & {
  toolName?: string | undefined;
  status?: string | undefined;
  parentRunId?: string | undefined;
  batchId?: string | undefined;
  /** Creation times, inclusive. */
  since?: number | undefined;
  until?: number | undefined;
  /** True for runs of drafts only, false for all others. */
  draft?: boolean | undefined;
  draftId?: string | undefined;
  via?: string | undefined;
  userId?: string | undefined;
  /** Text in the name or title of the tool or draft, or the start of the run's ID. */
  q?: string | undefined;
};

type Sort = "newest" | "oldest";
type Page = { limit: number; after: string | undefined; sort?: Sort };

/** How many runs a page scans for filters without an index. */
const maxScanned = 20_000;

/**
 * The runs of a workspace that the viewer may see, newest first by default. With a filter that has no index, a page scans a limited number of
 * runs: the next page continues after `scannedTo`, which is undefined at the end.
 */
export async function listRuns(
  db: Database,
  viewer: RunViewer,
  filter: RunFilter,
  page: Page,
  scanLimit = maxScanned,
): Promise<{ rows: ListedRun[]; scannedTo: string | undefined }> {
  const { from, order } = indexedRuns(db, viewer, filter, page);
  const direction = page.sort === "oldest" ? "asc" : "desc";
  const used = isUsed(db, filter);
  const conditions = [...unindexedConditions(viewer, filter), ...used.conditions];
  if (conditions.length === 0) {
    const rows = listed(from.where(isRunVisible(viewer))).orderBy(order);
    return { rows: await rows.limit(page.limit).execute(), scannedTo: undefined };
  }
  const range = from
    .select(["id", "via", "user_id", "tool_id", "tool_name", "draft_id", "is_private"])
    .select(used.columns)
    .orderBy(order)
    .limit(scanLimit);
  const found = await db.kysely
    .selectFrom(range.as("runs"))
    .select("id")
    .where(sql<boolean>`${sql.join([isRunVisible(viewer), ...conditions], sql` and `)}`)
    .orderBy("id", direction)
    .limit(page.limit)
    .execute();
  const ids = found.map(({ id }) => id);
  const rows =
    ids.length === 0
      ? []
      : await listed(db.kysely.selectFrom("runs").where("id", "in", ids))
          .orderBy("id", direction)
          .execute();
  if (ids.length === page.limit) return { rows, scannedTo: undefined };
  const edge = from
    .select("id")
    .orderBy(order)
    .offset(scanLimit - 1)
    .limit(1);
  return { rows, scannedTo: (await edge.executeTakeFirst())?.id };
}

/** How many runs match, among the newest `maxCounted` that the filters with an index select. */
export async function countRunRows(
  db: Database,
  viewer: RunViewer,
  filter: RunFilter,
  max = maxCounted,
): Promise<{ count: number; isExact: boolean }> {
  const { from, order } = indexedRuns(db, viewer, filter, { after: undefined });
  const used = isUsed(db, filter);
  const conditions = [
    isRunVisible(viewer),
    ...unindexedConditions(viewer, filter),
    ...used.conditions,
  ];
  const range = from
    .select(["id", "via", "user_id", "tool_id", "tool_name", "draft_id", "is_private"])
    .select(used.columns)
    .orderBy(order)
    .limit(max + 1);
  const isMatch = sql.join(conditions, sql` and `);
  const found = await db.kysely
    .selectFrom(range.as("runs"))
    .select(sql<number | string>`count(*)`.as("scanned"))
    .select(sql<number | string>`count(case when ${isMatch} then 1 end)`.as("matching"))
    .executeTakeFirstOrThrow();
  return {
    count: Math.min(Number(found.matching), max),
    isExact: Number(found.scanned) <= max,
  };
}

type From = SelectQueryBuilder<Schema, "runs", object>;

function listed(query: From) {
  return query.select([
    ...listColumns,
    ifSmall("input").as("input"),
    ifSmall("output").as("output"),
  ]);
}

/** The index range that contains all matching runs. */
function indexedRuns(
  db: Database,
  viewer: RunViewer,
  filter: RunFilter,
  page: Pick<Page, "after" | "sort">,
) {
  const { toolName, status, parentRunId, batchId } = filter;
  const isOfBatch = batchId !== undefined;
  const isOfParent = !isOfBatch && parentRunId !== undefined;
  const isOfFew = isOfBatch || isOfParent;
  const isOfDraft = !isOfFew && (filter.draft === true || filter.draftId !== undefined);
  const isWrong = !isOfFew && !isOfDraft && (status === "failed" || status === "cancelled");
  // Few runs are running, and few have the same parent or batch: scanning those is cheaper than all runs of a tool.
  const isOfTool = !isOfFew && !isOfDraft && toolName !== undefined && status !== "running";
  const { isWithin, newestFirst, oldestFirst } = indexRange(db, {
    columns: {
      workspace_id: viewer.workspaceId,
      ...(isOfBatch ? { batch_id: batchId } : {}),
      ...(isOfParent ? { parent_run_id: parentRunId } : {}),
      ...(isOfDraft ? { user_id: viewer.userId } : {}),
      ...(isOfTool ? { tool_name: toolName } : {}),
      ...(isWrong ? { status } : {}),
    },
    ...idsOf(filter, page),
  });
  let from: From = db.kysely.selectFrom("runs").where(isWithin);
  // Repeats the condition of the partial indexes verbatim; otherwise they are not used.
  if (isWrong) from = from.where(sql<boolean>`status in ('failed', 'cancelled')`);
  else if (status !== undefined) from = from.where("status", "=", sql.lit(status));
  if (isOfBatch) from = from.where("batch_id", "is not", null);
  if (isOfBatch && parentRunId !== undefined) from = from.where("parent_run_id", "=", parentRunId);
  if (isOfParent) from = from.where("parent_run_id", "is not", null);
  if (isOfDraft) from = from.where("draft_id", "is not", null);
  if (filter.draftId !== undefined) from = from.where("draft_id", "=", filter.draftId);
  if (toolName !== undefined && !isOfTool) from = from.where("tool_name", "=", toolName);
  return { from, order: page.sort === "oldest" ? oldestFirst : newestFirst };
}

/** The range of IDs for the requested times, since IDs contain their time; for a whole ID, only that one. */
function idsOf({ since, until, q }: RunFilter, page: Pick<Page, "after" | "sort">) {
  if (q !== undefined && isId(q)) return idsOfPage(page, { from: q, before: `${q}.` });
  return idsOfPage(page, {
    from: since === undefined ? undefined : idFloor(since),
    before: until === undefined ? undefined : idFloor(until + 1),
  });
}

/** Conditions without an index. */
function unindexedConditions(
  viewer: RunViewer,
  { via, userId, q, draft }: RunFilter,
): RawBuilder<boolean>[] {
  const rest: RawBuilder<boolean>[] = [];
  if (via !== undefined) rest.push(sql`via = ${via}`);
  if (userId !== undefined) rest.push(sql`user_id = ${userId}`);
  if (draft === false) rest.push(sql`draft_id is null`);
  if (q !== undefined && !isId(q)) {
    const pattern = q.toLowerCase().replace(/[\\%_]/g, "\\$&");
    const contains = `%${pattern}%`;
    rest.push(
      sql`(tool_name like ${contains} escape '\\' or id like ${`${pattern}%`} escape '\\'
        or ${isTitleLike(viewer, contains)})`,
    );
  }
  return rest;
}
