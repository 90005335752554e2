import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { isRunVisible } from "#core/kernel";
import type { RunViewer } from "#core/kernel";
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
export type FileViewer = RunViewer;

/**
 * What a run saved is seen by whoever sees the run. What somebody uploaded is seen by all of the workspace, unless only
 * private runs have taken it. Who made a file always sees it.
 */
export function isFileVisible(viewer: FileViewer) {
  return sql<boolean>`(files.user_id = ${viewer.userId}
    or (files.run_id is null and coalesce(files.audience, '') <> 'owner')
    or exists (select 1 from runs where runs.id = files.run_id
      and runs.workspace_id = ${viewer.workspaceId} and ${isRunVisible(viewer)}))`;
}

/**
 * The steps that note which uploads of the viewer a run takes. Only private runs: then they are the viewer's alone, and so is
 * what the audit trail says of them. Any other run shows them to the workspace, for its record names them.
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
  const ofThem = db.kysely
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
      .where("target", "in", ofThem)
      .where("workspace_id", "=", viewer.workspaceId)
      .where("action", "in", ["file.create", "file.upload"])
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
