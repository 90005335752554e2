import type { Database } from "#db";
import { keyOf } from "./file-storage.ts";

/** A file whose bytes are in the storage. */
export type StoredFile = { id: string; key: string; size: number; sha256: string | null };

const pageSize = 500;

/** The files of all workspaces whose bytes are stored and that had not expired at a time. */
export async function* listStoredFiles(db: Database, at: number): AsyncGenerator<StoredFile> {
  for (let after = ""; ;) {
    const rows = await db.kysely
      .selectFrom("files")
      .select(["id", "workspace_id", "size", "sha256"])
      .where("status", "=", "ready")
      .where("expires_at", ">", at)
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageSize)
      .execute();
    for (const row of rows) {
      yield { id: row.id, key: keyOf(row), size: row.size, sha256: row.sha256 };
      after = row.id;
    }
    if (rows.length < pageSize) return;
  }
}

/** Whether a file's bytes should be in the storage at a time: it is complete and has not expired. */
export async function isStored(db: Database, id: string, at: number): Promise<boolean> {
  const row = await db.kysely
    .selectFrom("files")
    .select("id")
    .where("id", "=", id)
    .where("status", "=", "ready")
    .where("expires_at", ">", at)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets a file expire immediately. */
export async function expireFile(db: Database, id: string): Promise<void> {
  await db.kysely.updateTable("files").set({ expires_at: 0 }).where("id", "=", id).execute();
}
