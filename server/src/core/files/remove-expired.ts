import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FilesContext } from "./context.ts";
import { keyOf } from "./file-storage.ts";
import { deleteFiles, findExpiredFiles } from "./file-store.ts";

/**
 * Deletes at most `limit` expired files, including interrupted uploads, and returns how many. Bytes are deleted before
 * rows. If the storage fails, the remaining files are left for the next sweep and the result is 0.
 */
export async function removeExpiredFiles(context: FilesContext, limit: number): Promise<number> {
  const { db, fileStorage, log } = context;
  const expired = await findExpiredFiles(db, limit);
  if (expired.length === 0) return 0;
  const removals = await Promise.allSettled(expired.map((file) => fileStorage.remove(keyOf(file))));
  const removed = expired.filter((_, index) => removals[index]?.status === "fulfilled");
  const failed = removals.find((removal) => removal.status === "rejected");
  if (removed.length > 0) {
    await deleteFiles(
      db,
      removed.map(({ id }) => id),
    );
  }
  if (failed === undefined) return removed.length;
  log.warn({ err: failed.reason as unknown }, "could not delete the bytes of expired files");
  return 0;
}

/**
 * Deletes local bytes of interrupted uploads that have not grown for `ageMs`.
 */
export async function removeStaleIncoming(
  { fileStorage }: FilesContext,
  ageMs: number,
): Promise<void> {
  const names = await readdir(fileStorage.incomingDir);
  for (const name of names) {
    const path = join(fileStorage.incomingDir, name);
    // It may become a file concurrently.
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs >= ageMs) await rm(path, { force: true });
  }
}
