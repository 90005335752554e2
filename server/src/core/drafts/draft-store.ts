import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { capSteps } from "#core/limits";
import type { DraftsContext } from "./context.ts";
import { capDraftBytes } from "#core/catalog";
import type { Database, DraftTable, TransactionStep } from "#db";

/** Drafts are visible to their author only. */
export type Author = { workspaceId: string; userId: string };

/** A draft with the name of the tool that it changes. */
export type DraftRow = DraftTable & { tool_name: string | null };

/** A draft without its definitions, which may be large. */
export type ListedDraft = Omit<DraftRow, "definition" | "generated">;

const listed = [
  "drafts.id",
  "drafts.workspace_id",
  "drafts.user_id",
  "drafts.tool_id",
  "drafts.base_version",
  "drafts.title",
  "drafts.revision",
  "drafts.created_at",
  "drafts.updated_at",
  "drafts.used_at",
  "drafts.saved_with_right",
  "drafts.approved_needs",
  "drafts.import_link",
  "drafts.example_results",
] as const;

function draftsOf(db: Database, { workspaceId, userId }: Author) {
  return db.kysely
    .selectFrom("drafts")
    .leftJoin("tools", "tools.id", "drafts.tool_id")
    .select([...listed, "tools.name as tool_name"])
    .where("drafts.workspace_id", "=", workspaceId)
    .where("drafts.user_id", "=", userId);
}

export async function findDraft(
  db: Database,
  author: Author,
  id: string,
): Promise<DraftRow | undefined> {
  return draftsOf(db, author)
    .select(["drafts.definition", "drafts.generated"])
    .where("drafts.id", "=", id)
    .executeTakeFirst();
}

/** An author's drafts, newest first; of one tool if its name is given. */
export async function listDraftRows(
  db: Database,
  author: Author,
  page: { limit: number; after: string | undefined; toolName: string | undefined },
): Promise<ListedDraft[]> {
  let query = draftsOf(db, author);
  if (page.toolName !== undefined) query = query.where("tools.name", "=", page.toolName);
  if (page.after !== undefined) query = query.where("drafts.id", "<", page.after);
  return query.orderBy("drafts.id", "desc").limit(page.limit).execute();
}

/** The drafts of a user, in all workspaces. */
export async function countDraftRows({ kysely }: Database, userId: string): Promise<number> {
  const row = await kysely
    .selectFrom("drafts")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** An author's drafts of next versions of tools that were created from imports, oldest first. */
export async function listChangeDraftRows(
  { kysely }: Database,
  { workspaceId, userId }: Author,
): Promise<Pick<DraftTable, "id" | "tool_id" | "import_link">[]> {
  return kysely
    .selectFrom("drafts")
    .select(["id", "tool_id", "import_link"])
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("tool_id", "is not", null)
    .where("import_link", "is not", null)
    .orderBy("id")
    .execute();
}

/** An author's drafts of new tools that were created from imports, oldest first. */
export async function listImportedDraftRows(
  { kysely }: Database,
  { workspaceId, userId }: Author,
): Promise<Pick<DraftTable, "id" | "import_link">[]> {
  return kysely
    .selectFrom("drafts")
    .select(["id", "import_link"])
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("tool_id", "is", null)
    .where("import_link", "is not", null)
    .orderBy("id")
    .execute();
}

/** Rolls the transaction back if the author has a draft of a new tool whose link starts like this. */
export function requireNoLinkedDraft(
  { kysely }: Database,
  { workspaceId, userId }: Author,
  linkStart: string,
): TransactionStep {
  const query = kysely
    .selectNoFrom((eb) => eb.lit(1).as("free"))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("drafts")
            .select("id")
            .where("workspace_id", "=", workspaceId)
            .where("user_id", "=", userId)
            .where("tool_id", "is", null)
            .where(sql`substr(import_link, 1, length(${linkStart}))`, "=", linkStart),
        ),
      ),
    )
    .compile();
  return { query, mustChange: true };
}

/**
 * Throws `draft_limit` when the author has reached the number of drafts across all workspaces, and `quota_exceeded` when
 * the drafts of the workspace have too many bytes.
 */
export function insertDraft(
  context: Pick<DraftsContext, "config" | "db">,
  row: DraftTable,
): TransactionStep[] {
  return [
    ...capSteps(context, "drafts", {
      subject: row.user_id,
      existing: sql`select 1 from drafts where user_id = ${row.user_id}`,
    }),
    context.db.kysely.insertInto("drafts").values(row).compile(),
    ...capDraftBytes(context, row.workspace_id),
  ];
}

type Save = Pick<DraftTable, "title" | "definition"> & {
  id: string;
  revision: number;
  now: number;
  /**
   * The caller has `credentials:write`. A save without it revokes earlier approvals until the author approves the draft
   * again, since later saves contain its content.
   */
  isWithRight: boolean;
};

/** Saves a draft if it is still at the given revision; changes nothing otherwise. */
export function saveDraftRow(
  db: Database,
  { workspaceId, userId }: Author,
  { id, revision, title, definition, now, isWithRight }: Save,
): CompiledQuery {
  const approval = isWithRight ? {} : { saved_with_right: 0, approved_needs: null };
  return db.kysely
    .updateTable("drafts")
    .set({ title, definition, revision: revision + 1, updated_at: now, used_at: now, ...approval })
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("revision", "=", revision)
    .compile();
}

/** Records what the author approved if the draft is still at the given revision; changes nothing otherwise. */
export function approveDraftRow(
  db: Database,
  { workspaceId, userId }: Author,
  { id, revision, needs }: { id: string; revision: number; needs: string },
): CompiledQuery {
  return db.kysely
    .updateTable("drafts")
    .set({ saved_with_right: 1, approved_needs: needs })
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("revision", "=", revision)
    .compile();
}

/** Stores the results of running the examples of a draft if it is still at the given revision; changes nothing otherwise. */
export function saveExampleResults(
  db: Database,
  { workspaceId, userId }: Author,
  { id, revision, results }: { id: string; revision: number; results: string },
): CompiledQuery {
  return db.kysely
    .updateTable("drafts")
    .set({ example_results: results })
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("revision", "=", revision)
    .compile();
}

/** Deletes a draft; if a revision is given, only while the draft is at that revision. */
export function deleteDraftRow(
  db: Database,
  { workspaceId, userId }: Author,
  { id, revision }: { id: string; revision?: number },
): CompiledQuery {
  let query = db.kysely
    .deleteFrom("drafts")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId);
  if (revision !== undefined) query = query.where("revision", "=", revision);
  return query.compile();
}

/** Postpones the deletion of an unused draft. */
export async function touchDraft(
  db: Database,
  { workspaceId, userId }: Author,
  id: string,
  now: number,
): Promise<void> {
  await db.kysely
    .updateTable("drafts")
    .set({ used_at: now })
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .execute();
}
