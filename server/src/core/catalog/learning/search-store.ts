import { sql } from "kysely";
import type { Database, ToolSearchTable } from "#db";
import { indexRange } from "#db";
import { idFloor } from "#lib/ids";

export type NewSearch = Omit<ToolSearchTable, "outcome" | "tool_id">;
type Outcome = Pick<ToolSearchTable, "outcome" | "tool_id">;

/** One person cannot make a workspace store more. */
const maxOfUser = 500;
/** Runs that are compared with the searches of a batch. */
const maxRuns = 20_000;
const insertedAtOnce = 50;

/** Stores searches of workspaces that still agree to it. */
export async function insertSearches(db: Database, rows: readonly NewSearch[]): Promise<void> {
  const ids = [...new Set(rows.map((row) => row.workspace_id))];
  const agreed = await db.kysely
    .selectFrom("workspaces")
    .select("id")
    .where("id", "in", ids)
    .where("learn_from_searches", "=", 1)
    .where("deleted_at", "is", null)
    .execute();
  const agreedIds = new Set(agreed.map(({ id }) => id));
  const stored = rows
    .filter((row) => agreedIds.has(row.workspace_id))
    .map((row): ToolSearchTable => ({ ...row, outcome: "pending", tool_id: null }));
  for (let at = 0; at < stored.length; at += insertedAtOnce) {
    const some = stored.slice(at, at + insertedAtOnce);
    await db.kysely.insertInto("tool_searches").values(some).execute();
  }
}

/** The oldest searches before a time whose outcome is not known yet. */
export async function findPending(db: Database, before: number, limit: number) {
  return db.kysely
    .selectFrom("tool_searches")
    .selectAll()
    .where("outcome", "=", sql.lit("pending"))
    .where("id", "<", idFloor(before))
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Completed runs of tools that members of a workspace started themselves, oldest first. */
export async function findRuns(
  db: Database,
  workspaceId: string,
  { from, until }: { from: number; until: number },
) {
  const range = {
    columns: { workspace_id: workspaceId },
    from: idFloor(from),
    before: idFloor(until),
  };
  const { isWithin, oldestFirst } = indexRange(db, range);
  const runs = db.kysely
    .selectFrom("runs")
    .select(["user_id", "tool_id", "created_at", "status", "parent_run_id", "draft_id"])
    .where(isWithin)
    .orderBy(oldestFirst)
    .limit(maxRuns);
  return db.kysely
    .selectFrom(runs.as("started"))
    .select(["user_id", "tool_id", "created_at"])
    .where("status", "=", "completed")
    .where("parent_run_id", "is", null)
    .where("draft_id", "is", null)
    .execute();
}

/** Stores the outcome of a search, and deletes earlier ones of the same user that say the same or that it settles. */
export async function setOutcome(
  db: Database,
  { id, workspace_id, user_id, terms }: ToolSearchTable,
  { outcome, tool_id }: Outcome,
): Promise<void> {
  const own = db.kysely
    .deleteFrom("tool_searches")
    .where("workspace_id", "=", workspace_id)
    .where("user_id", "=", user_id);
  const earlier = own
    .where("terms", "=", terms)
    .where("id", "<", id)
    .where("outcome", "<>", "pending")
    .where((row) =>
      tool_id === null
        ? row("outcome", "<>", "run")
        : row.or([row("tool_id", "=", tool_id), row("outcome", "<>", "run")]),
    );
  const excess = own.where("id", "<=", (from) =>
    from
      .selectFrom("tool_searches as kept")
      .select("kept.id")
      .where("kept.workspace_id", "=", workspace_id)
      .where("kept.user_id", "=", user_id)
      .orderBy("kept.id", "desc")
      .limit(1)
      .offset(maxOfUser),
  );
  const change = db.kysely
    .updateTable("tool_searches")
    .set({ outcome, tool_id, found: "[]" })
    .where("id", "=", id);
  await db.transact([earlier.compile(), excess.compile(), change.compile()]);
}

/** The newest searches of a workspace that led to a run. */
export async function findLearned(db: Database, workspaceId: string, limit: number) {
  return db.kysely
    .selectFrom("tool_searches")
    .select(["user_id", "terms", "words", "tool_id"])
    .where("workspace_id", "=", workspaceId)
    .where("outcome", "=", "run")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** The stored searches of a user, for the export of their data. */
export async function findOwnSearches(
  db: Database,
  { workspaceId, userId }: { workspaceId: string; userId: string },
) {
  return db.kysely
    .selectFrom("tool_searches")
    .select(["words", "outcome"])
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

/** What several people of a workspace searched for without running a tool, most people first. */
export async function findUnmet(
  db: Database,
  workspaceId: string,
  { minPeople, limit }: { minPeople: number; limit: number },
) {
  const people = sql<number>`count(distinct user_id)`;
  return db.kysely
    .selectFrom("tool_searches")
    .select([
      sql<string>`min(words)`.as("words"),
      people.as("people"),
      // Of a single person it would show that they have a private tool.
      sql<number>`case when count(distinct case when outcome = 'not_run' then user_id end) > 1
        then 1 else 0 end`.as("is_found"),
      sql<string>`max(id)`.as("last"),
    ])
    .where("workspace_id", "=", workspaceId)
    .where("outcome", "in", ["not_run", "no_match"])
    .groupBy("terms")
    .having(people, ">=", minPeople)
    .orderBy("people", "desc")
    .orderBy("last", "desc")
    .limit(limit)
    .execute();
}

/**
 * Deletes at most `limit` searches: older ones than `before`, and those of workspaces that do not agree, of users who left,
 * and of archived tools. Returns how many.
 */
export async function deleteSearches(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const obsolete = sql<boolean>`(id < ${idFloor(before)}
    or workspace_id not in (select w.id from workspaces w
      where w.learn_from_searches = 1 and w.deleted_at is null)
    or not exists (select 1 from members m
      where m.workspace_id = tool_searches.workspace_id and m.user_id = tool_searches.user_id)
    or tool_id in (select t.id from tools t where t.archived_at is not null))`;
  const rows = await db.kysely
    .selectFrom("tool_searches")
    .select("id")
    .where(obsolete)
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await db.kysely.deleteFrom("tool_searches").where("id", "in", ids).execute();
  return ids.length;
}
