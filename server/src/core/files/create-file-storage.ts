import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";
import type { Log } from "#lib/log";
import type { FileStorage } from "./file-storage.ts";
import { createLocalStorage } from "./local-storage.ts";

/** Creates the configured storage. The S3 client is loaded only for S3. */
export async function createFileStorage(config: Config, log: Log): Promise<FileStorage> {
  const filesDir = join(config.dataDir, "files");
  const incomingDir = join(filesDir, "incoming");
  // The parent folder is accessible to other users of the machine; files must not be.
  await mkdir(filesDir, { recursive: true, mode: 0o700 });
  await mkdir(incomingDir, { recursive: true, mode: 0o700 });
  if (config.FILE_STORAGE === "local") {
    return withReason(createLocalStorage(filesDir, incomingDir), log);
  }
  const { createS3Storage } = await import("./s3-storage.ts");
  return withReason(createS3Storage(config, incomingDir), log);
}

/** Marks every failure as one of the storage, so that it is not taken for one of the database. */
function withReason(storage: FileStorage, log: Log): FileStorage {
  const explain = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      log.error({ err: cause }, "file storage failed");
      throw new ServiceError("unavailable", "The file storage is unavailable. Retry shortly.", {
        cause,
        retryAfterSeconds: 5,
      });
    }
  };
  return {
    incomingDir: storage.incomingDir,
    put: (...file) => explain(storage.put(...file)),
    open: (...range) => explain(storage.open(...range)),
    remove: (key) => explain(storage.remove(key)),
  };
}
