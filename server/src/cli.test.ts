import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, it } from "vitest";
import { serverCommands } from "./command-arguments.ts";
import { version } from "./version.ts";

const home = mkdtempSync(join(tmpdir(), "cli-"));
afterAll(() => rmSync(home, { recursive: true }));

/** Runs a program of the server in an empty home, which must stay empty. */
function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, program), ...args],
    { cwd: home, encoding: "utf8", env: { HOME: home, DATA_DIR: join(home, "data") } },
  );
  expect(readdirSync(home)).toEqual([]);
  return { status, stdout, stderr };
}

const commands = Object.entries(serverCommands).map(
  ([name, { parameters }]) => [name, [name, ...parameters].join(" "), parameters] as const,
);

describe("toolhost", () => {
  it.each(["--help", "-h", "help"])("lists each command for %s", (option) => {
    const { status, stdout } = run("cli.ts", option);
    expect(status).toBe(0);
    for (const [, usage] of commands) expect(stdout).toContain(`\n  ${usage} `);
  });

  it.each(["--version", "-v"])("prints the version for %s", (option) => {
    expect(run("cli.ts", option)).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  it.each(["--port", "constructor"])("refuses the unknown command %s", (name) => {
    const { status, stderr } = run("cli.ts", name);
    expect(status).toBe(2);
    expect(stderr).toContain(`no command "${name}"`);
  });

  it.each(commands)("prints the usage of %s and does nothing else", (name, usage, parameters) => {
    for (const option of ["--help", "-h"]) {
      const { status, stdout } = run("cli.ts", name, option);
      expect([status, stdout.split("\n")[0]]).toEqual([0, `Usage: toolhost ${usage}`]);
    }
    const surplus = [...parameters, "surplus"];
    const unknown = [...parameters, "--force"];
    const missing = parameters.length > 0 ? [[]] : [];
    for (const args of [surplus, unknown, ...missing]) {
      const refused = { status: 2, stdout: "", stderr: `Usage: toolhost ${usage}\n` };
      expect(run("cli.ts", name, ...args)).toEqual(refused);
    }
  });
});

describe("the programs that npm runs", () => {
  const programs = [
    ["main", "start"],
    ["backup", "backup -- FOLDER"],
    ["restore", "restore -- FOLDER"],
    ["rotate-encryption-key", "rotate-encryption-key"],
    ["verify-audit", "audit:verify"],
    ["migrate-to-postgres", "migrate-to-postgres"],
  ];

  it.each(programs)("refuses an unknown option of %s", (program, usage) => {
    const stderr = `Usage: npm run ${usage}\n`;
    expect(run(`${program}.ts`, "--force")).toEqual({ status: 2, stdout: "", stderr });
  });
});
