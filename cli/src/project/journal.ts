import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, toJsonFile } from "../json.ts";
import type { Definition } from "./definition.ts";
import { isFolderName } from "./folder-name.ts";
import { stateFolder } from "./project.ts";
import { writeAtomic } from "./write-atomic.ts";

/**
 * A tool that is being created. It is stored before the request is sent, and deleted after the lock file has the tool's name. So if
 * the process ends in between, the next push sends the same request with the same Idempotency-Key, and the server creates no
 * second tool.
 */
export type PendingCreation = {
  /** The Idempotency-Key. */
  key: string;
  startedAt: string;
  workspace: string;
  hash: string;
  definition: Definition;
};

const folderOf = (root: string) => join(root, stateFolder, "pending");
const fileOf = (root: string, folder: string) => join(folderOf(root), `${folder}.json`);

export async function savePending(root: string, folder: string, pending: PendingCreation) {
  await writeAtomic(fileOf(root, folder), toJsonFile(pending), 0o600);
}

export async function deletePending(root: string, folder: string): Promise<void> {
  await rm(fileOf(root, folder), { force: true });
}

/** The tools whose creation was interrupted, by folder. */
export async function readPending(root: string): Promise<Map<string, PendingCreation>> {
  const files = await readdir(folderOf(root)).catch(() => []);
  const found = new Map<string, PendingCreation>();
  for (const file of files) {
    const folder = /^(.+)\.json$/.exec(file)?.[1] ?? "";
    if (!isFolderName(folder)) continue;
    const value: unknown = JSON.parse(await readFile(join(folderOf(root), file), "utf8"));
    if (isRecord(value)) found.set(folder, value as PendingCreation);
  }
  return found;
}
