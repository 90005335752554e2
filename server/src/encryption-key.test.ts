import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { readEncryptionKeys } from "./encryption-key.ts";
import { startService } from "./start.ts";

describe("a start on an existing database", () => {
  let test: TestService;
  let file: string;
  let key: string;
  beforeAll(async () => {
    test = await startTestService();
    file = join(test.service.context.config.dataDir, "encryption.key");
    key = await readFile(file, "utf8");
    await test.service.stop();
  });
  afterAll(() => test.stop());
  // Another service may have taken the port meanwhile.
  const config = () => ({ ...test.service.context.config, PORT: 0 });
  const start = () => startService(config());

  it("is refused without the key file, and creates none", async () => {
    await rm(file);
    await expect(start()).rejects.toThrow(/needs the encryption key .* Restore the file/);
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ["empty", () => ""],
    ["blank", () => "\n"],
    ["cut to 43 characters, which is the length of 32 bytes as base64", () => key.slice(0, 43)],
    ["cut by one digit", () => key.trim().slice(0, 63)],
  ])("is refused with a key file that is %s, and leaves it as it is", async (_, content) => {
    await writeFile(file, content());
    await expect(start()).rejects.toThrow(/encryption\.key .*Restore it from a backup/);
    expect(await readFile(file, "utf8")).toBe(content());
  });

  it("is refused with another key, in the file or in ENCRYPTION_KEY", async () => {
    const other = randomBytes(32).toString("hex");
    await writeFile(file, other);
    await expect(start()).rejects.toThrow(/does not match this database/);
    expect(await readFile(file, "utf8")).toBe(other);
    await writeFile(file, key);
    const withOther = { ...config(), ENCRYPTION_KEY: other };
    await expect(startService(withOther)).rejects.toThrow(/does not match this database/);
  });

  it("succeeds with the right key after all that", async () => {
    await writeFile(file, key);
    const service = await start();
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
    await rm(folder, { recursive: true });
  });
});
