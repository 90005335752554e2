import { open } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import { syncFolder } from "#lib/private-file";
import type { FileStorage } from "./file-storage.ts";

/** Stores files in a local folder, or one that several nodes mount. It contains `incomingDir`. */
export function createLocalStorage(root: string, incomingDir: string): FileStorage {
  const disk = new Disk(new FSDriver({ location: root, visibility: "private" }));
  return {
    incomingDir,
    put: async (key, path) => {
      await disk.move(relative(root, path), key);
      // The file must survive a power failure once its row is marked as ready.
      await syncFolder(dirname(join(root, key)));
    },
    open: async (key, range) => {
      // Opened before the response starts, so that a missing file can still be reported.
      const file = await open(join(root, key), "r");
      return file.createReadStream(range === undefined ? {} : { ...range });
    },
    remove: async (key) => {
      if (await disk.exists(key)) await disk.delete(key);
    },
  };
}
