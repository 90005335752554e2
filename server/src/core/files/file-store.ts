import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
import type { Database, FileTable } from "#db";
import { indexRange } from "#db";

/** The step that writes a file's row. */
export function insertFile(db: Database, row: FileTable): CompiledQuery {
  return db.kysely.insertInto("files").values(row).compile();
}

type State = Pick<FileTable, "id" | "workspace_id" | "status">;

/** The step that changes a row, unless its status has changed since it was read. */
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

export type FileViewer = RunViewer;

/**
 * A file that a run saved is visible to everyone who may see the run. An uploaded file is visible to the whole workspace, unless
 * only private runs have used it. Its creator always sees it.
 */
export function isFileVisible(viewer: FileViewer) {
  return sql<boolean>`(files.user_id = ${viewer.userId}
    or (files.run_id is null and coalesce(files.audience, '') <> 'owner')
    or exists (select 1 from runs where runs.id = files.run_id
      and runs.workspace_id = ${viewer.workspaceId} and ${isRunVisible(viewer)}))`;
}

/**
 * The steps that record which uploads of the viewer a run uses. Uploads used only by private runs are visible only to the
 * viewer, and so are their audit events. Any other run shares them with the workspace, because its record names them.
 */
export function noteUse(
  db: Database,
  viewer: FileViewer,
  { ids, isPrivate }: { ids: readonly string[]; isPrivate: boolean },
): CompiledQuery[] {
  const own = db.kysely
    .updateTable("files")
    .where("id", "in", ids)
    .where("workspace_id", "=", viewer.workspaceId)
    .where("user_id", "=", viewer.userId)
    .where("run_id", "is", null);
  if (!isPrivate) {
    const isNew = sql<boolean>`coalesce(audience, '') <> 'workspace'`;
    return [own.set({ audience: "workspace" }).where(isNew).compile()];
  }
  const ownerOnly = db.kysely
    .selectFrom("files")
    .select("id")
    .where("id", "in", ids)
    .where("user_id", "=", viewer.userId)
    .where("audience", "=", "owner");
  return [
    own.set({ audience: "owner" }).where("audience", "is", null).compile(),
    db.kysely
      .updateTable("audit_events")
      .set({ private_to: viewer.userId })
      .where("target", "in", ownerOnly)
      .where("workspace_id", "=", viewer.workspaceId)
      .where("private_to", "is", null)
      .compile(),
  ];
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
    .where(isFileVisible(viewer))
    .executeTakeFirst();
}

export type FileFilter = { runId?: string | undefined; userId?: string | undefined };

/** The files that the viewer may open and that have not expired, newest first. */
export async function findVisibleFiles(
  db: Database,
  viewer: FileViewer,
  { runId, userId }: FileFilter,
  { limit, after, now }: { limit: number; after: string | undefined; now: number },
): Promise<FileTable[]> {
  const columns = { workspace_id: viewer.workspaceId };
  const { isWithin, newestFirst } = indexRange(db, { columns, before: after });
  let files = db.kysely.selectFrom("files").selectAll().where(isWithin);
  if (runId !== undefined) files = files.where("run_id", "=", runId);
  if (userId !== undefined) files = files.where("user_id", "=", userId);
  return files
    .where("status", "=", "ready")
    .where("expires_at", ">", now)
    .where(isFileVisible(viewer))
    .orderBy(newestFirst)
    .limit(limit)
    .execute();
}

/** The workspace of a file, if a user is a member of it. */
export async function findWorkspaceOfFile(
  db: Database,
  { fileId, memberId }: { fileId: string; memberId: string },
): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom("files")
    .innerJoin("members", "members.workspace_id", "files.workspace_id")
    .innerJoin("workspaces", "workspaces.id", "files.workspace_id")
    .select("files.workspace_id")
    .where("files.id", "=", fileId)
    .where("members.user_id", "=", memberId)
    .where("workspaces.deleted_at", "is", null)
    .executeTakeFirst();
  return row?.workspace_id;
}

/** The files among the ids that a run saved, that the viewer may open, and that have not expired. */
export async function findSavedRows(
  db: Database,
  viewer: FileViewer,
  { ids, now }: { ids: readonly string[]; now: number },
): Promise<FileTable[]> {
  return db.kysely
    .selectFrom("files")
    .selectAll()
    .where("id", "in", ids)
    .where("workspace_id", "=", viewer.workspaceId)
    .where("run_id", "is not", null)
    .where("status", "=", "ready")
    .where("expires_at", ">", now)
    .where(isFileVisible(viewer))
    .orderBy("id")
    .execute();
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
    .where(isFileVisible(viewer))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The file of an upload URL. The secret in the URL identifies the workspace too. */
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

/** Expired files of all workspaces, oldest first. */
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

/** Deletes the rows of files whose bytes are deleted. */
export async function deleteFiles(db: Database, ids: readonly string[]): Promise<void> {
  const query = db.kysely.deleteFrom("files").where("id", "in", ids);
  await db.transact([query.compile()]);
}
