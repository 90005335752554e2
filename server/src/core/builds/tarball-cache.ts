import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Integrity } from "./integrity.ts";

/** Archives of packages on disk, named by their digests, as many as there is room for. */
export type TarballCache = {
  /** The bytes as they are on disk, which may have been altered: whoever reads checks the digest. */
  read(integrity: Integrity): Promise<AsyncIterable<Buffer> | undefined>;
  remove(integrity: Integrity): Promise<void>;
  /** Begins an entry, which is there for others once it is complete. */
  write(integrity: Integrity): Promise<CacheWriter | undefined>;
};

export type CacheWriter = {
  write(chunk: Buffer): Promise<void>;
  /** Puts the entry in place. */
  commit(): Promise<void>;
  discard(): Promise<void>;
};

type Entries = Map<string, number>;

/**
 * Opens a cache in a folder of its own. What another process left half written, and whatever is not a file, is removed;
 * 0 bytes turn it off. A folder that cannot be used costs speed and nothing else.
 */
export function createTarballCache(folder: string, maxBytes: number): TarballCache {
  // By name, the one that was used longest ago first.
  let loading: Promise<Entries> | undefined;
  const load = () =>
    (loading ??= readEntries(folder).catch((): Entries => {
      // It may work the next time.
      loading = undefined;
      return new Map();
    }));
  const remove = async (name: string) => {
    (await load()).delete(name);
    await removePath(join(folder, name));
  };

  const add = async (name: string, bytes: number) => {
    const entries = await load();
    entries.delete(name);
    entries.set(name, bytes);
    let total = [...entries.values()].reduce((sum, size) => sum + size, 0);
    for (const [oldest, size] of entries) {
      if (total <= maxBytes) return;
      total -= size;
      await remove(oldest);
    }
  };

  return {
    read: async (integrity) => {
      const entries = await load();
      const name = nameOf(integrity);
      const bytes = entries.get(name);
      if (bytes === undefined) return undefined;
      const path = join(folder, name);
      entries.delete(name);
      if (!(await isFileOf(path, bytes))) {
        await removePath(path);
        return undefined;
      }
      entries.set(name, bytes);
      const now = new Date();
      // The order outlives a restart.
      await utimes(path, now, now).catch(() => {});
      return createReadStream(path) as AsyncIterable<Buffer>;
    },
    remove: (integrity) => remove(nameOf(integrity)),
    write: async (integrity) => {
      if (maxBytes === 0) return undefined;
      await load();
      const path = join(folder, `${partPrefix}${randomUUID()}`);
      return openWriter(path, async (bytes) => {
        await rename(path, join(folder, nameOf(integrity)));
        await add(nameOf(integrity), bytes);
      });
    },
  };
}

async function openWriter(
  path: string,
  onCommit: (bytes: number) => Promise<void>,
): Promise<CacheWriter> {
  const file = await open(path, "wx", 0o600);
  let bytes = 0;
  return {
    write: async (chunk) => {
      await file.writeFile(chunk);
      bytes += chunk.length;
    },
    commit: async () => {
      await file.close();
      await onCommit(bytes);
    },
    discard: async () => {
      await file.close();
      await rm(path, { force: true });
    },
  };
}

const nameOf = ({ algorithm, hex }: Integrity) => `${algorithm}-${hex}`;

async function isFileOf(path: string, bytes: number): Promise<boolean> {
  const info = await lstat(path).catch(() => undefined);
  return info?.isFile() === true && info.size === bytes;
}

const partPrefix = "part-";

/** What cannot be removed is not used either. */
async function removePath(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}

async function readEntries(folder: string): Promise<Entries> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found: { name: string; bytes: number; usedAt: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another process may remove it at the same time.
    const info = await lstat(path).catch(() => undefined);
    if (name.startsWith(partPrefix) || info?.isFile() === false) await removePath(path);
    else if (info !== undefined) found.push({ name, bytes: info.size, usedAt: info.mtimeMs });
  }
  const sorted = found.toSorted((a, b) => a.usedAt - b.usedAt);
  return new Map(sorted.map(({ name, bytes }) => [name, bytes]));
}
