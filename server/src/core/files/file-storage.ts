import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";
import type { Log } from "#lib/log";
import { createLocalStorage } from "./local-storage.ts";

/** Bytes from `start` to `end`, both counted from 0 and both included. */
export type ByteRange = { start: number; end: number };

/** Where the bytes of files are. Keys are made by us, of ids alone. What fails is `unavailable`. */
export type FileStorage = {
  /** Where bytes are collected before they are a file. */
  incomingDir: string;
  /** Takes a file of this machine with so many bytes; it may be gone or left where it was. */
  take(key: string, path: string, size: number): Promise<void>;
  /** Throws when there are no bytes. Destroying the stream ends the reading. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Deletes the bytes; it is no error when there are none. */
  remove(key: string): Promise<void>;
};

/** The storage that the configuration names. What S3 needs is loaded only for S3. */
export async function createFileStorage(config: Config, log: Log): Promise<FileStorage> {
  const filesDir = join(config.dataDir, "files");
  const incomingDir = join(filesDir, "incoming");
  // The folder above lets others through; nobody else may see files.
  await mkdir(filesDir, { recursive: true, mode: 0o700 });
  await mkdir(incomingDir, { recursive: true, mode: 0o700 });
  if (config.FILE_STORAGE === "local") {
    return withReason(createLocalStorage(filesDir, incomingDir), log);
  }
  const { createS3Storage } = await import("./s3-storage.ts");
  return withReason(createS3Storage(config, incomingDir), log);
}

/** Says of every failure that it is the storage's, which else might pass for one of the database. */
function withReason(storage: FileStorage, log: Log): FileStorage {
  const explain = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      log.error({ err: cause }, "the file storage failed");
      throw new ServiceError("unavailable", "The file storage does not work now.", {
        cause,
        retryAfterSeconds: 5,
      });
    }
  };
  return {
    incomingDir: storage.incomingDir,
    take: (...file) => explain(storage.take(...file)),
    open: (...place) => explain(storage.open(...place)),
    remove: (key) => explain(storage.remove(key)),
  };
}

/** The key of a file's bytes. */
export function keyOf(file: { workspace_id: string; id: string }): string {
  return `${file.workspace_id}/${file.id}`;
}
