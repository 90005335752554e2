import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { createLog } from "#lib/log";
import { startFakeRegistry } from "#testing/fake-registry";
import { createBuilder } from "./builder.ts";
import { createTarballCache } from "./tarball-cache.ts";
import type { TarballCache } from "./tarball-cache.ts";

const root = mkdtempSync(join(tmpdir(), "tarball-cache-"));
afterAll(() => rmSync(root, { recursive: true }));
const newFolder = () => mkdtempSync(join(root, "cache-"));

const named = (hex: string) => ({ algorithm: "sha256", hex }) as const;

async function put(cache: TarballCache, hex: string, bytes: number): Promise<void> {
  const entry = await cache.write(named(hex));
  await entry?.write(Buffer.alloc(bytes));
  await entry?.commit();
}

const has = async (cache: TarballCache, hex: string) =>
  (await cache.read(named(hex))) !== undefined;

describe("createTarballCache", () => {
  it("evicts the least recently used entries, also after a restart", async () => {
    const folder = newFolder();
    const cache = createTarballCache(folder, 1_000);
    for (const hex of ["a", "b", "c"]) await put(cache, hex, 300);
    expect(await has(cache, "a")).toBe(true);
    await put(cache, "d", 300);
    expect(readdirSync(folder).toSorted()).toEqual(["sha256-a", "sha256-c", "sha256-d"]);
    const again = createTarballCache(folder, 1_000);
    await put(again, "e", 300);
    expect(readdirSync(folder)).not.toContain("sha256-c");
    await put(again, "f", 2_000);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("removes incomplete entries, and never returns them", async () => {
    const folder = newFolder();
    const cache = createTarballCache(folder, 1_000);
    const entry = await cache.write(named("a"));
    await entry?.write(Buffer.from("half"));
    expect(await has(cache, "a")).toBe(false);
    expect(await has(createTarballCache(folder, 1_000), "a")).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
    await entry?.discard();
  });

  it("removes everything but files, and ignores files that disappear concurrently", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "sha256-folder", "inner"), { recursive: true });
    mkdirSync(join(folder, "part-folder"));
    symlinkSync("/nonexistent", join(folder, "sha256-link"));
    symlinkSync("/dev/zero", join(folder, "sha256-endless"));
    const cache = createTarballCache(folder, 1_000);
    for (const hex of ["folder", "link", "endless"]) expect(await has(cache, hex)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("does not return an entry that was replaced", async () => {
    const folder = newFolder();
    const cache = createTarballCache(folder, 1_000);
    const path = join(folder, "sha256-a");
    const replacements = [
      () => mkdirSync(path),
      () => symlinkSync("/dev/zero", path),
      () => {
        writeFileSync(path, "");
        truncateSync(path, 1_000_000_000);
      },
    ];
    for (const replace of replacements) {
      await put(cache, "a", 300);
      rmSync(path);
      replace();
      expect(await has(cache, "a")).toBe(false);
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it("works again once its folder is usable", async () => {
    const folder = join(newFolder(), "packages");
    writeFileSync(folder, "in the way");
    const cache = createTarballCache(folder, 1_000);
    expect(await has(cache, "a")).toBe(false);
    rmSync(folder);
    await put(cache, "a", 300);
    expect(await has(cache, "a")).toBe(true);
  });

  it("stores nothing when disabled", async () => {
    const folder = newFolder();
    const cache = createTarballCache(folder, 0);
    await put(cache, "a", 10);
    expect(await has(cache, "a")).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("serves builds, which download an altered entry again", async () => {
    const registry = await startFakeRegistry();
    registry.add("steady", { "index.js": "module.exports = 'from the registry'" });
    const dataDir = newFolder();
    const config = readConfig({ DATA_DIR: dataDir, npm_config_registry: registry.url });
    const builder = createBuilder(config, createLog("fatal"));
    const build = (workspaceId: string) =>
      builder.bundle(
        { workspaceId, userId: workspaceId },
        {
          language: "javascript",
          code: 'import value from "steady"; export default () => value;',
          dependencies: { steady: "1.0.0" },
        },
      );
    const fetched = () => registry.requests.filter(({ path }) => path.endsWith(".tgz")).length;
    const { code } = await build("a");
    expect((await build("b")).code).toBe(code);
    expect(fetched()).toBe(1);
    const folder = join(dataDir, "builds", "packages");
    const [entry = ""] = readdirSync(folder);
    const archive = readFileSync(join(folder, entry));
    for (const altered of [
      Buffer.from("evil"),
      Buffer.alloc(0),
      archive.subarray(1),
      Buffer.concat([archive, archive]),
    ]) {
      writeFileSync(join(folder, entry), altered);
      const before = fetched();
      expect((await build("b")).code).toBe(code);
      expect(fetched()).toBe(before + 1);
      expect(readFileSync(join(folder, entry)).equals(archive)).toBe(true);
    }
    rmSync(join(folder, entry));
    expect((await build("b")).code).toBe(code);
    await builder.stop();
    await registry.close();
  });
});
