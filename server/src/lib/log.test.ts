import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, it } from "vitest";
import { createLog } from "./log.ts";
import type { LogFormat } from "./log.ts";

const folder = mkdtempSync(join(tmpdir(), "log-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the log writes to a file. */
function writtenTo(name: string, format: LogFormat): string {
  const file = join(folder, name);
  const fd = openSync(file, "w");
  createLog("info", { fd, format }).warn({ password: "secret", part: 1 }, "slow");
  closeSync(fd);
  return readFileSync(file, "utf8");
}

/** What the log writes to a terminal. */
function writtenToTerminal(environment: Record<string, string>): string {
  const code = `import { createLog } from ${JSON.stringify(join(import.meta.dirname, "log.ts"))};
    createLog("info", { format: "auto" }).warn({ part: 1 }, "slow");`;
  const record = join(folder, "terminal.log");
  const command = `'${process.execPath}' --input-type=module --eval "$CODE"`;
  return execFileSync("script", ["--quiet", "--command", command, record], {
    env: { PATH: process.env["PATH"], CODE: code, ...environment },
    encoding: "utf8",
  });
}

describe("createLog", () => {
  it("writes JSON lines to what is not a terminal", () => {
    expect(JSON.parse(writtenTo("auto.log", "auto"))).toMatchObject({ level: 40, msg: "slow" });
  });

  it("writes text without colors and secrets if the format is pretty", () => {
    expect(writtenTo("pretty.log", "pretty")).toMatch(
      /^\d\d:\d\d:\d\d WARN {2}slow password="\[Redacted\]" part=1\n$/,
    );
  });

  it("writes text with colors to a terminal", () => {
    expect(writtenToTerminal({})).toContain("\u001B[33mWARN \u001B[39m slow");
  });

  it("writes text without colors to a terminal if NO_COLOR is set", () => {
    const text = writtenToTerminal({ NO_COLOR: "1" });
    expect(text).toMatch(/^\d\d:\d\d:\d\d WARN {2}slow part=1\r?\n$/);
  });
});
