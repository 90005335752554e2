import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { Config } from "#config";
import { listStoredFiles } from "#core/files";
import { lockDataFolder, restoreMarker } from "#db";
import type { Database } from "#db";
import { hasCode, syncFolder, writePrivateFile } from "#lib/private-file";
import { BackupError } from "./backup-error.ts";
import { withCheckedDatabase } from "./check-database.ts";
import { copyFile, forEachParallel } from "./copy-file.ts";
import { syncFolders } from "./create-backup.ts";
import { readManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";

/** What was restored. */
export type RestoreReport = {
  startedAt: number;
  fileCount: number;
  /** Secrets that were decrypted as a check, and those that no key decrypts. */
  decrypted: number;
  failed: number;
};

const maxProblems = 10;

/**
 * Restores a backup into the empty data folder of the configuration, and verifies it. If anything is wrong, the folder is
 * empty again, except for its lock; if the process is killed, the service refuses to start on the folder until a restore completes. Throws
 * `BackupError`, `ConfigError` and `DataFolderError`.
 */
export async function restoreBackup(config: Config, folder: string): Promise<RestoreReport> {
  const { dataDir } = config;
  const manifest = await readManifest(folder);
  checkStorage(config, manifest);
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  await checkLocation(dataDir, folder);
  const marker = restoreMarker(dataDir);
  const lock = await lockDataFolder(dataDir, { isRestore: true });
  try {
    const isInterrupted = existsSync(marker);
    if (isInterrupted) await empty(dataDir);
    if ((await listContent(dataDir)).length > 0) {
      throw new BackupError(
        `The data folder ${dataDir} is not empty. Set DATA_DIR to an empty folder, or move its content away.`,
      );
    }
    await writePrivateFile(marker, "");
    try {
      await copyAll(folder, dataDir, manifest);
      const report = await withCheckedDatabase(config, dataDir, async (db, keys) => {
        await checkStoredFiles(db, manifest);
        return keys;
      });
      await syncFolders(dataDir, Object.keys(manifest.files));
      await rm(marker);
      await syncFolder(dataDir);
      const { decrypted, failed } = report;
      const { startedAt, files } = manifest;
      return { startedAt, fileCount: Object.keys(files).length, decrypted, failed };
    } catch (error) {
      await empty(dataDir);
      throw error;
    }
  } finally {
    // Its file stays: another process may be locking it at this moment, and must not lock a file that is deleted.
    lock.release();
  }
}

/** A restore may empty the data folder, also of what an interrupted one left there. */
async function checkLocation(dataDir: string, folder: string): Promise<void> {
  const path = relative(await realpath(dataDir), await realpath(folder));
  if (path.startsWith("..")) return;
  throw new BackupError(
    `The backup ${folder} is in the data folder ${dataDir}, which a restore may empty. Move the backup elsewhere.`,
  );
}

function checkStorage({ FILE_STORAGE: configured }: Config, { fileStorage }: Manifest): void {
  if (configured === fileStorage) return;
  throw new BackupError(
    `The backup is of a service with FILE_STORAGE=${fileStorage}, but it is ${configured} here. Use the same setting.`,
  );
}

/** What a data folder contains, without its lock and what a new file system creates. */
async function listContent(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => !name.startsWith("lock.db") && name !== "lost+found");
}

/** Removes the content of a data folder, the marker last. */
async function empty(folder: string): Promise<void> {
  const marker = basename(restoreMarker(folder));
  const names = (await listContent(folder)).filter((name) => name !== marker);
  for (const name of [...names, marker]) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function copyAll(folder: string, dataDir: string, { files }: Manifest): Promise<void> {
  const problems: string[] = [];
  await forEachParallel(Object.entries(files), async ([path, expected]) => {
    try {
      const found = await lstat(join(folder, path));
      // A pipe would never end, and a link may lead to any file.
      if (!found.isFile() || found.size !== expected.size) {
        problems.push(`${path} does not match its checksum`);
        return;
      }
      const { size, sha256 } = await copyFile(join(folder, path), join(dataDir, path));
      if (size !== expected.size || sha256 !== expected.sha256) {
        problems.push(`${path} does not match its checksum`);
      }
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
      problems.push(`${path} is missing`);
    }
  });
  refuse(problems);
}

/** Checks that the backup contains every file that its database names. */
async function checkStoredFiles(db: Database, manifest: Manifest): Promise<void> {
  if (manifest.fileStorage !== "local") return;
  const problems: string[] = [];
  for await (const { key } of listStoredFiles(db, manifest.startedAt)) {
    if (!Object.hasOwn(manifest.files, `files/${key}`)) {
      problems.push(`files/${key}, which the database names, is missing`);
    }
  }
  refuse(problems);
}

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, maxProblems);
  const rest = problems.length - shown.length;
  const more = rest > 0 ? `; and ${rest} more` : "";
  throw new BackupError(
    `The backup is damaged: ${shown.join("; ")}${more}. Nothing was restored. Use another backup.`,
  );
}
