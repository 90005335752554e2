import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Integrity } from "./integrity.ts";

/** Package archives on disk, named by digest; evicts the least recently used ones beyond a size. */
export type TarballCache = {
  /** The bytes on disk. They may have been altered, so the caller has to verify the digest. */
  read(integrity: Integrity): Promise<AsyncIterable<Buffer> | undefined>;
  remove(integrity: Integrity): Promise<void>;
  /** Starts an entry, which is visible to readers once it is committed. */
  write(integrity: Integrity): Promise<CacheWriter | undefined>;
};

export type CacheWriter = {
  write(chunk: Buffer): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
};

type Entries = Map<string, number>;

/**
 * Opens a cache in a dedicated folder. Removes incomplete entries and everything that is not a file. A size of 0 bytes
 * disables the cache, and an unusable folder only costs speed.
 */
export function createTarballCache(folder: string, maxBytes: number): TarballCache {
  // By name, least recently used first.
  let loading: Promise<Entries> | undefined;
  const load = () =>
    (loading ??= readEntries(folder).catch((): Entries => {
      // Retried on the next use.
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
      // Preserves the order across restarts.
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

/** Ignores errors: a file that cannot be removed is not used. */
async function removePath(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}

async function readEntries(folder: string): Promise<Entries> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found: { name: string; bytes: number; usedAt: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another process may remove it concurrently.
    const info = await lstat(path).catch(() => undefined);
    if (name.startsWith(partPrefix) || info?.isFile() === false) await removePath(path);
    else if (info !== undefined) found.push({ name, bytes: info.size, usedAt: info.mtimeMs });
  }
  const sorted = found.toSorted((a, b) => a.usedAt - b.usedAt);
  return new Map(sorted.map(({ name, bytes }) => [name, bytes]));
}
