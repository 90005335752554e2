import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { openSqlite } from "#db";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { isKeyExposed, readEncryptionKeys } from "./encryption-key.ts";
import { startService } from "./start.ts";

/** The test loses the file of an embedded database. */
const isPostgres = process.env["TEST_DIALECT"] === "postgres";

describe("a start on an existing database", () => {
  let test: TestService;
  let scratch: string;
  let key: string;
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "toolhost-key-"));
    test = await startTestService();
    key = await readFile(join(test.service.context.config.dataDir, "encryption.key"), "utf8");
    await test.service.stop();
  });
  afterAll(async () => {
    await test.stop();
    await rm(scratch, { recursive: true });
  });

  /** A copy of the data folder that no process has used, with this key file or without one. */
  async function prepare(content: string | undefined) {
    const { config } = test.service.context;
    const dataDir = join(scratch, randomUUID());
    await cp(config.dataDir, dataDir, { recursive: true });
    const file = join(dataDir, "encryption.key");
    if (content === undefined) await rm(file);
    else await writeFile(file, content);
    return { config: { ...config, dataDir, PORT: 0 }, file };
  }

  it("is refused without the key file, and creates none", async () => {
    const { config, file } = await prepare(undefined);
    await expect(startService(config)).rejects.toThrow(
      /needs the encryption key .* Restore the file/,
    );
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ["empty", () => ""],
    ["blank", () => "\n"],
    ["cut to 43 characters, which is the length of 32 bytes as base64", () => key.slice(0, 43)],
    ["cut by one digit", () => key.trim().slice(0, 63)],
  ])("is refused with a key file that is %s, and leaves it as it is", async (_, content) => {
    const { config, file } = await prepare(content());
    await expect(startService(config)).rejects.toThrow(
      /encryption\.key .*Restore it from a backup/,
    );
    expect(await readFile(file, "utf8")).toBe(content());
  });

  it("is refused if the key cannot be read, or the folder cannot be locked", async () => {
    const unreadable = await prepare(undefined);
    await mkdir(unreadable.file);
    await expect(startService(unreadable.config)).rejects.toThrow(
      /^The encryption key .* cannot be read: EISDIR/,
    );
    const { config } = await prepare(key);
    await writeFile(join(config.dataDir, "lock.db"), "no database".repeat(100));
    await expect(startService(config)).rejects.toThrow(
      /lock\.db cannot be locked: file is not a database/,
    );
  });

  it.skipIf(isPostgres)("is refused if the database was lost, and creates no other", async () => {
    const { config } = await prepare(key);
    const database = join(config.dataDir, "toolhost.db");
    await truncate(database);
    await expect(startService(config)).rejects.toThrow(/toolhost\.db is empty\. Restore it/);
    await openSqlite(database).close();
    await expect(startService(config)).rejects.toThrow(/toolhost\.db is empty\. Restore it/);
    await rm(database);
    await expect(startService(config)).rejects.toThrow(
      /toolhost\.db does not exist, although .*encryption\.key does\. Restore it/,
    );
    expect(existsSync(database)).toBe(false);
  });

  it("is refused with another key, in the file or in ENCRYPTION_KEY", async () => {
    const other = randomBytes(32).toString("hex");
    const { config, file } = await prepare(other);
    await expect(startService(config)).rejects.toThrow(/does not match this database/);
    expect(await readFile(file, "utf8")).toBe(other);
    const right = await prepare(key);
    const withOther = { ...right.config, ENCRYPTION_KEY: other };
    await expect(startService(withOther)).rejects.toThrow(/does not match this database/);
  });

  it("succeeds with the right key", async () => {
    const { config } = await prepare(key);
    const service = await startService(config);
    expect(service.context.envelopes.keyIds).toHaveLength(1);
    await service.stop();
  });
});

describe("readEncryptionKeys", () => {
  it("creates exactly one key when many processes start on an empty folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "toolhost-key-"));
    const config = readConfig({ DATA_DIR: folder });
    const keys = await Promise.all(
      Array.from({ length: 20 }, () => readEncryptionKeys(config, undefined)),
    );
    const stored = (await readFile(join(folder, "encryption.key"), "utf8")).trim();
    expect(new Set(keys.map(([key]) => key.toString("hex")))).toEqual(new Set([stored]));
    expect(await readdir(folder)).toEqual(["encryption.key"]);
    expect((await stat(join(folder, "encryption.key"))).mode & 0o777).toBe(0o600);
    expect(await isKeyExposed(config)).toBe(false);
    await chmod(join(folder, "encryption.key"), 0o644);
    expect(await isKeyExposed(config)).toBe(true);
    await rm(folder, { recursive: true });
  });
});
