import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "#config";

const isRoot = process.getuid?.() === 0;

describe("readConfig with a data folder", () => {
  let parent: string;
  let folder: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "toolhost-access-"));
    folder = join(parent, "data");
    mkdirSync(folder);
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  const read = () => readConfig({ DATA_DIR: folder });

  it("refuses one that all users can write to, also with the sticky bit", () => {
    for (const mode of [0o777, 0o1777, 0o703]) {
      chmodSync(folder, mode);
      expect(read).toThrow(/^All users of this machine can write to the data folder/);
    }
  });

  it("accepts a missing one, and those that only this user and its group can write to", () => {
    for (const mode of [0o700, 0o711, 0o775, 0o2770]) {
      chmodSync(folder, mode);
      expect(read().dataDir).toBe(folder);
    }
    rmSync(folder, { recursive: true });
    expect(read().dataDir).toBe(folder);
  });

  it.runIf(isRoot)("refuses one that another user owns, and says how to run as that user", () => {
    chownSync(folder, 1234, 1234);
    expect(read).toThrow(
      /belongs to the user with the ID 1234, and this is 0\. .* sudo -u '#1234'/,
    );
  });

  it.runIf(isRoot)("refuses one that a group of other users can write to", () => {
    chownSync(folder, 0, 4321);
    chmodSync(folder, 0o770);
    expect(read).toThrow(/^The group with the ID 4321 can write to the data folder/);
    chmodSync(folder, 0o750);
    expect(read().dataDir).toBe(folder);
  });
});

describe("the command of the package", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "toolhost-access-"));
    writeFileSync(join(folder, ".env"), "LOG_LEVEL=wrong\n", { mode: 0o600 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const cli = join(import.meta.dirname, "cli.ts");
  const start = (variables: Record<string, string> = {}) =>
    spawnSync(process.execPath, [cli], {
      env: { PATH: process.env["PATH"], PORT: "0", DATA_DIR: folder, ...variables },
      encoding: "utf8",
    });

  it("reads the settings of its data folder", () => {
    expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining('"wrong"') });
  });

  it("reports in one line what it cannot read or create", () => {
    rmSync(join(folder, ".env"));
    mkdirSync(join(folder, ".env"));
    expect(start().stderr).toMatch(/^The settings file .* is a folder\.\n$/);
    const file = join(folder, "file");
    writeFileSync(file, "");
    expect(start({ DATA_DIR: file }).stderr).toMatch(/^The data folder .* is not a folder\.\n$/);
    symlinkSync("nowhere", join(folder, "link"));
    expect(start({ DATA_DIR: join(folder, "link") }).stderr).toMatch(
      /^The data folder .* cannot be created: .*\n$/,
    );
    const homeless = start({ DATA_DIR: "", HOME: "/dev/null" });
    expect(homeless.stderr).toMatch(/^The data folder .* cannot be created: ENOTDIR.*\n$/);
  });

  it("reads no settings that all users can write", () => {
    chmodSync(folder, 0o777);
    expect(start().stderr).toMatch(/^All users .* data folder .*\n$/);
    chmodSync(folder, 0o700);
    chmodSync(join(folder, ".env"), 0o666);
    expect(start().stderr).toMatch(/^All users .* settings file .*\n$/);
  });
});
