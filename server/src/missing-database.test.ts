import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

describe.each([["verify-audit"], ["rotate-encryption-key"], ["backup", "backup-folder"]])(
  "the command %s",
  (program, ...args) => {
    let parent: string;
    let dataDir: string;
    beforeEach(() => {
      parent = mkdtempSync(join(tmpdir(), "toolhost-missing-"));
      dataDir = join(parent, "data");
    });
    afterEach(() => rmSync(parent, { recursive: true }));

    const run = () => {
      const script = join(import.meta.dirname, `${program}.ts`);
      const options = { cwd: parent, env: { PATH: process.env["PATH"], DATA_DIR: dataDir } };
      const { status, stderr } = spawnSync(process.execPath, [script, ...args], {
        ...options,
        encoding: "utf8",
      });
      return { status, stderr };
    };

    it("reports a folder that is missing or empty, and writes nothing", () => {
      const refusal = { status: 1, stderr: `No database found in ${dataDir}.\n` };
      expect(run()).toEqual(refusal);
      expect(existsSync(dataDir)).toBe(false);
      mkdirSync(dataDir);
      expect(run()).toEqual(refusal);
      expect(readdirSync(dataDir)).toEqual([]);
      expect(readdirSync(parent)).toEqual(["data"]);
    });

    it("reports a file that is not a database of the service", () => {
      mkdirSync(dataDir);
      const file = join(dataDir, "toolhost.db");
      const sqlite = new Sqlite(file);
      sqlite.exec("create table other (id)");
      sqlite.close();
      expect(run()).toEqual({ status: 1, stderr: `No database found in ${dataDir}.\n` });
      writeFileSync(file, "x".repeat(10_000));
      const stderr = `The database ${file} is damaged. Restore it from a backup.\n`;
      expect(run()).toEqual({ status: 1, stderr });
      expect(readdirSync(dataDir)).toEqual(["toolhost.db"]);
    });
  },
);
