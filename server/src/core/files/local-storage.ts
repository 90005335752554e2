import { open } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import { syncFolder } from "#lib/private-file";
import type { FileStorage } from "./file-storage.ts";

/** A folder of this machine, or one that several nodes mount. `incomingDir` is below it. */
export function createLocalStorage(root: string, incomingDir: string): FileStorage {
  const disk = new Disk(new FSDriver({ location: root, visibility: "private" }));
  return {
    incomingDir,
    take: async (key, path) => {
      await disk.move(relative(root, path), key);
      // Once a file counts as there, a power cut must not take its name away.
      await syncFolder(dirname(join(root, key)));
    },
    open: async (key, range) => {
      // Opened here, so that a missing file is known before anything is answered.
      const file = await open(join(root, key), "r");
      return file.createReadStream(range === undefined ? {} : { ...range });
    },
    remove: async (key) => {
      if (await disk.exists(key)) await disk.delete(key);
    },
  };
}
