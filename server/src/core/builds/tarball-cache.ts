import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
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

/** Opens a cache in a folder of its own. What another process left half written is removed; 0 bytes turn it off. */
export function createTarballCache(folder: string, maxBytes: number): TarballCache {
  // By name, the one that was used longest ago first.
  let loading: Promise<Entries> | undefined;
  const load = () => (loading ??= readEntries(folder));
  const remove = async (name: string) => {
    (await load()).delete(name);
    await rm(join(folder, name), { force: true });
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
      entries.delete(name);
      entries.set(name, bytes);
      const path = join(folder, name);
      const now = new Date();
      // The order outlives a restart.
      await utimes(path, now, now).catch(() => remove(name));
      return entries.has(name) ? (createReadStream(path) as AsyncIterable<Buffer>) : undefined;
    },
    remove: (integrity) => remove(nameOf(integrity)),
    write: async (integrity) => {
      if (maxBytes === 0) return undefined;
      await load();
      const path = join(folder, `${partPrefix}${randomUUID()}`);
      const file = await open(path, "wx", 0o600);
      let bytes = 0;
      return {
        write: async (chunk) => {
          await file.writeFile(chunk);
          bytes += chunk.length;
        },
        commit: async () => {
          await file.close();
          await rename(path, join(folder, nameOf(integrity)));
          await add(nameOf(integrity), bytes);
        },
        discard: async () => {
          await file.close();
          await rm(path, { force: true });
        },
      };
    },
  };
}

const nameOf = ({ algorithm, hex }: Integrity) => `${algorithm}-${hex}`;

const partPrefix = "part-";

async function readEntries(folder: string): Promise<Entries> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found: { name: string; bytes: number; usedAt: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith(partPrefix)) await rm(path, { force: true });
    else {
      const { size, mtimeMs } = await stat(path);
      found.push({ name, bytes: size, usedAt: mtimeMs });
    }
  }
  const sorted = found.toSorted((a, b) => a.usedAt - b.usedAt);
  return new Map(sorted.map(({ name, bytes }) => [name, bytes]));
}
