import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { descendantsOf, isAlive } from "./src/processes.ts";

describe("a benchmark", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "benchmarks-test-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    { args: ["tools.ts", "--what"], line: "Unknown option '--what'" },
    {
      args: ["tools.ts", "--help"],
      line: "Options: --seconds VALUE, --rounds VALUE, --tools VALUE",
    },
    { args: ["tools.ts", "--tools", "1.5"], line: "--tools takes a whole number above 0" },
    { args: ["memory.ts", "--help"], line: "It has no options." },
    { args: ["run.ts", "--seconds", "0"], line: '--seconds takes a number above 0, not "0".' },
    { args: ["memory.ts", "--seconds", "1"], line: "Unknown option '--seconds'" },
    {
      args: ["all-goals.ts", "--rounds", "x"],
      line: '--rounds takes a whole number above 0, not "x".',
    },
    { args: ["compare.ts", "missing.js"], line: "Name the bundle of another checkout:" },
    { args: ["executor.ts", "missing"], line: "Install a copy, and name its folder:" },
  ])("explains the wrong arguments $args without a stack trace", async ({ args, line }) => {
    const child = start(args);
    const [words] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect(child.exitCode).toBe(2);
    expect(words).toMatch(line);
    expect(words).not.toMatch(/^ {4}at /m);
  });

  test("leaves no process and no file when it is interrupted", async () => {
    const child = start(["all-goals.ts", "--seconds", "1", "--rounds", "1"]);
    await untilPrinted(child, "Warming up: service");
    const { pid } = child;
    if (pid === undefined) throw new Error("The benchmark has no pid");
    const started = descendantsOf(pid);
    expect(started.some(({ command }) => command.includes("workerd"))).toBe(true);
    // A terminal signals each process of the group, and npm passes the signal on.
    process.kill(-pid, "SIGINT");
    child.kill("SIGINT");
    await once(child, "exit");
    expect(child.exitCode).toBe(130);
    await expect
      .poll(() => started.filter((mark) => isAlive(mark)), { timeout: 10_000 })
      .toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("prints the memory of each kind of process", { tags: ["nightly"] }, async () => {
    const child = start(["memory.ts"]);
    const [words] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(child.exitCode).toBe(0);
    expect(words).toMatch(/^workers .*\nbuilds .*\nlauncher /m);
    expect(words).toMatch(/Each worker above the first: [\d.]+ MB\./);
  });

  function start([file, ...args]: readonly string[]) {
    const program = join(import.meta.dirname, "bench", file ?? "");
    return spawn(process.execPath, [program, ...args], {
      detached: true,
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }
});

/** Waits until a process has printed something to stderr. */
function untilPrinted(child: ChildProcess, words: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let printed = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    if (printed.includes(words)) resolve();
  });
  child.once("exit", () => reject(new Error(`The benchmark ended before: ${printed}`)));
  return promise;
}
