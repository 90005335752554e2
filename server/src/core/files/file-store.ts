import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Database, FileTable } from "#db";

/** The step that writes a file's row. */
export function insertFile(db: Database, row: FileTable): CompiledQuery {
  return db.kysely.insertInto("files").values(row).compile();
}

type State = Pick<FileTable, "id" | "workspace_id" | "status">;

/** The step that changes a row as it was seen; it changes nothing when its status is another by now. */
export function changeFile(
  db: Database,
  { id, workspace_id: workspaceId, status }: State,
  set: Partial<FileTable>,
): CompiledQuery {
  return db.kysely
    .updateTable("files")
    .set(set)
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", status)
    .compile();
}

/** Who looks. */
export type FileViewer = { workspaceId: string; userId: string };

/** What the run of a draft saved is its author's alone, as its record is. */
function isTheirs({ userId }: FileViewer) {
  return sql<boolean>`(files.run_id is null or files.user_id = ${userId} or not exists (
    select 1 from runs where runs.id = files.run_id and runs.draft_id is not null))`;
}

/** A file that the viewer may open and that has not expired. */
export async function findReadyFile(
  db: Database,
  viewer: FileViewer,
  { id, now }: { id: string; now: number },
): Promise<FileTable | undefined> {
  return db.kysely
    .selectFrom("files")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", viewer.workspaceId)
    .where("status", "=", "ready")
    .where("expires_at", ">", now)
    .where(isTheirs(viewer))
    .executeTakeFirst();
}

/** Which of the ids are files that the viewer may open and that have not expired. */
export async function findReadyIds(
  db: Database,
  viewer: FileViewer,
  { ids, now }: { ids: readonly string[]; now: number },
): Promise<Set<string>> {
  const rows = await db.kysely
    .selectFrom("files")
    .select("id")
    .where("id", "in", ids)
    .where("workspace_id", "=", viewer.workspaceId)
    .where("status", "=", "ready")
    .where("expires_at", ">", now)
    .where(isTheirs(viewer))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The file whose bytes an address takes; the secret in the address names its workspace too. */
export async function findAwaitedFile(
  db: Database,
  { tokenHash, now }: { tokenHash: string; now: number },
): Promise<FileTable | undefined> {
  return db.kysely
    .selectFrom("files")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where("status", "=", "awaiting_upload")
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/** For the sweep, of all workspaces: files whose time is over, oldest first. */
export async function findExpiredFiles(
  db: Database,
  limit: number,
): Promise<Pick<FileTable, "id" | "workspace_id">[]> {
  return db.kysely
    .selectFrom("files")
    .select(["id", "workspace_id"])
    .where("expires_at", "<=", db.now())
    .orderBy("expires_at")
    .limit(limit)
    .execute();
}

/** For the sweep: forgets files whose bytes are gone. */
export async function deleteFiles(db: Database, ids: readonly string[]): Promise<void> {
  const query = db.kysely.deleteFrom("files").where("id", "in", ids);
  await db.transact([query.compile()]);
}
