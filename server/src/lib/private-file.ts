import { randomUUID } from "node:crypto";
import { link, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes a file that only the service's user can read. After a crash it has either the old content or the new. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  await rename(await writeDraft(path, content), path);
  await syncFolder(dirname(path));
}

/** The same, unless the file exists: of processes that create it at the same moment, one does. */
export async function createPrivateFile(path: string, content: string): Promise<void> {
  const draft = await writeDraft(path, content);
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
  await syncFolder(dirname(path));
}

async function writeDraft(path: string, content: string): Promise<string> {
  const draft = `${path}.${randomUUID()}.new`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

/** Deletes what killed processes left of files that they were writing. No other process may be writing to the folder. */
export async function removeDrafts(folder: string): Promise<void> {
  const names = await readdir(folder);
  const drafts = names.filter((name) =>
    /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.new$/.test(name),
  );
  for (const name of drafts) await rm(join(folder, name), { force: true });
}

/** Syncs a folder, so that the names in it survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The file's text, or undefined if the file does not exist. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whether a thrown value is a system error with this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
