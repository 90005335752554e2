import { join } from "node:path";
import { createPrivateFile, readIfExists } from "#lib/private-file";
import type { NodeContext } from "#core/kernel";
import type { Database } from "#db";
import { newId } from "#lib/ids";

const setting = "file_storage_id";

/**
 * Compares the ID in the local folder of files with the one in the database, so that nodes without a shared folder are
 * noticed before a file of one cannot be read on another. Returns a warning, or undefined if the folder is the right one.
 */
export async function checkSharedFolder({
  config,
  db,
  cluster,
}: Pick<NodeContext, "config" | "db" | "cluster">): Promise<string | undefined> {
  if (db.dialect === "sqlite" || config.FILE_STORAGE !== "local") return undefined;
  const folder = join(config.dataDir, "files");
  const marker = join(folder, "storage-id");
  const found = (await readIfExists(marker))?.trim();
  const id = found ?? newId();
  const expected = await recordId(db, id);
  if (found === undefined && (expected === id || cluster.size === 1)) {
    await createPrivateFile(marker, `${id}\n`);
  }
  if (expected === id) return undefined;
  if (cluster.size > 1) {
    return `The folder ${folder} is not the one of the other nodes, so files that are uploaded to one node cannot be read on another. Mount the same folder on all nodes, or set FILE_STORAGE=s3.`;
  }
  // A single node decides: the next ones are compared with its folder.
  await db.kysely.updateTable("settings").set({ value: id }).where("name", "=", setting).execute();
  return `The folder ${folder} is not the one that was last used with this database, so earlier files may be missing.`;
}

/** Records the ID unless there is one, and returns the recorded one. */
async function recordId(db: Database, id: string): Promise<string> {
  await db.kysely
    .insertInto("settings")
    .values({ name: setting, value: id })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const { value } = await db.kysely
    .selectFrom("settings")
    .select("value")
    .where("name", "=", setting)
    .executeTakeFirstOrThrow();
  return value;
}
