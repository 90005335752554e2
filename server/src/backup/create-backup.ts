import { existsSync, realpathSync } from "node:fs";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { Config } from "#config";
import { expireFile, isStored, listStoredFiles } from "#core/files";
import type { StoredFile } from "#core/files";
import { copySqlite, databaseFile, openSqlite, requireDatabase } from "#db";
import type { Database } from "#db";
import { hasCode, syncFolder, writePrivateFile } from "#lib/private-file";
import { configuredKeys, keyFiles } from "../encryption-key.ts";
import { BackupError } from "./backup-error.ts";
import { withCheckedDatabase } from "./check-database.ts";
import { copyFile, forEachParallel, measureFile } from "./copy-file.ts";
import { manifestName } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";

/** What a backup contains. */
export type BackupReport = {
  hasKey: boolean;
  hasFiles: boolean;
  fileCount: number;
  bytes: number;
  /** IDs of files whose bytes the service has lost, and of those whose bytes do not match their checksum. */
  lost: string[];
  damaged: string[];
};

type Copied = Manifest["files"];

/**
 * Writes a backup of an embedded database, its encryption key and its files to an empty folder, while a service may be
 * using them. Throws `BackupError`, `ConfigError` and `DataFolderError`. The README explains why a backup is consistent.
 */
export async function createBackup(config: Config, folder: string): Promise<BackupReport> {
  const { dataDir } = config;
  requireDatabase(dataDir);
  if (isWithin(folder, dataDir)) {
    throw new BackupError(
      `${folder} is in the data folder ${dataDir}, and would be lost with it. Name a folder outside of it.`,
    );
  }
  await prepareFolder(folder);
  try {
    return await fill(config, folder);
  } catch (error) {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    throw error;
  }
}

async function fill(config: Config, folder: string): Promise<BackupReport> {
  const { dataDir, FILE_STORAGE: fileStorage } = config;
  const startedAt = Date.now();
  const copied = await copySingleFiles(config, folder);
  const hasKey = Object.keys(copied).some((path) => path.startsWith("encryption.key"));
  await copySqlite(databaseFile(dataDir), databaseFile(folder));
  const found = await withCheckedDatabase(config, folder, async (copy, { keyId }) => {
    const empty = { lost: [], damaged: [] };
    if (fileStorage !== "local") return { ...empty, keyId };
    return { ...(await copyStoredFiles({ dataDir, folder, copy, startedAt, copied })), keyId };
  });
  const { keyId, lost, damaged } = found;
  copied["toolhost.db"] = await measureFile(databaseFile(folder));
  const manifest: Manifest = { format: 1, startedAt, keyId, fileStorage, files: copied };
  await syncFolders(folder, Object.keys(copied));
  await writePrivateFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 1)}\n`);
  return {
    hasKey,
    hasFiles: fileStorage === "local",
    fileCount: Object.keys(copied).filter((path) => path.startsWith("files/")).length,
    bytes: Object.values(copied).reduce((sum, { size }) => sum + size, 0),
    lost,
    damaged,
  };
}

/** Whether a folder, which may not exist yet, is an existing one or in it. Follows links. */
function isWithin(folder: string, parent: string): boolean {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const [first] = relative(realpathSync(parent), realpathSync(existing)).split(sep);
  return first !== "..";
}

async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) {
    throw new BackupError(`${folder} is not empty. Name a new folder.`);
  }
  await chmod(folder, 0o700);
}

/** Copies the key files, unless the key is configured, and the credentials of the first start. */
async function copySingleFiles(config: Config, folder: string): Promise<Copied> {
  const { file, nextFile } = keyFiles(config);
  const paths = [
    ...(configuredKeys(config) === undefined ? [file, nextFile] : []),
    join(config.dataDir, "first-run.json"),
  ];
  const copied: Copied = {};
  for (const path of paths.filter((candidate) => existsSync(candidate))) {
    const name = path.slice(dirname(path).length + 1);
    copied[name] = await copyFile(path, join(folder, name));
  }
  return copied;
}

type Context = {
  dataDir: string;
  folder: string;
  copy: Database;
  startedAt: number;
  copied: Copied;
};

/** Copies the files that the copy of the database names. Those that no longer exist expire in the copy. */
async function copyStoredFiles({ dataDir, folder, copy, startedAt, copied }: Context) {
  const lost: string[] = [];
  const damaged: string[] = [];
  const gone: string[] = [];
  const live = openSqlite(databaseFile(dataDir));
  const copyOne = async ({ id, key, sha256 }: StoredFile) => {
    const path = `files/${key}`;
    try {
      const content = await copyFile(join(dataDir, path), join(folder, path));
      copied[path] = content;
      if (sha256 !== null && sha256 !== content.sha256) damaged.push(id);
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
      gone.push(id);
      if (await isStored(live, id, Date.now())) lost.push(id);
    }
  };
  try {
    await forEachParallel(listStoredFiles(copy, startedAt), copyOne);
    for (const id of gone) await expireFile(copy, id);
  } finally {
    await live.close();
  }
  return { lost, damaged };
}

/** Makes the names of files outlive a power cut. */
export async function syncFolders(root: string, paths: readonly string[]): Promise<void> {
  const folders = new Set(paths.flatMap((path) => [dirname(path), dirname(dirname(path))]));
  for (const folder of folders) await syncFolder(join(root, folder));
}
