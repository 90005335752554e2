import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FilesContext } from "./context.ts";
import { keyOf } from "./file-storage.ts";
import { deleteFiles, findExpiredFiles } from "./file-store.ts";

/**
 * Deletes at most `limit` files whose time is over, bytes first, and answers how many; uploads that a crash
 * cut short are among them. Where the storage fails, the files stay for the next time and count as none.
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
  log.warn({ err: failed.reason as unknown }, "the bytes of old files could not be deleted");
  return 0;
}

/**
 * Deletes bytes on this machine that never became a file and that nobody has added to for `ageMs`: what a
 * process that died left behind.
 */
export async function removeStaleIncoming(
  { fileStorage }: FilesContext,
  ageMs: number,
): Promise<void> {
  const names = await readdir(fileStorage.incomingDir);
  for (const name of names) {
    const path = join(fileStorage.incomingDir, name);
    // It may become a file at this moment.
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs >= ageMs) await rm(path, { force: true });
  }
}
