import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const endMs = 3_000;
const pollMs = 10;

/** Ends the program at SIGINT and SIGTERM with its exit handlers, which a signal alone does not run. */
export function exitOnSignals(): void {
  // The listeners stay, because Ctrl-C may signal a program twice, and the second must not interrupt the exit handlers.
  process.on("SIGINT", () => process.exit(130));
  process.on("SIGTERM", () => process.exit(143));
}

/** Creates a folder that is removed when the program exits, after the processes of {@link endOnExit} have ended. */
export function makeTemporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Ends a process when the program exits, and waits for its end. */
export function endOnExit(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void {
  const end = () => {
    child.kill(signal);
    const sleeper = new Int32Array(new SharedArrayBuffer(4));
    const endsAt = performance.now() + endMs;
    while (isAlive(child.pid) && performance.now() < endsAt) Atomics.wait(sleeper, 0, 0, pollMs);
  };
  // Before the removal of folders, to which the process may write until it has ended.
  process.prependListener("exit", end);
  child.once("exit", () => process.off("exit", end));
}

/** Ends a process gracefully, or after `graceMs` by force, and waits for its end. */
export async function stopChild(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await ended;
  clearTimeout(timer);
}

/** Whether a child process runs. One that has ended stays a zombie while exit handlers run. */
function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
