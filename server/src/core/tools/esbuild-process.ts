import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { promisify } from "node:util";
import { stop, transform } from "esbuild";
import { ServiceError } from "#core/errors";

const run = promisify(execFile);

/** Private memory of esbuild's process. Thirty members of an enum that double each other ask for any amount. */
const mostBytes = 1024 ** 3;

/** Settles when esbuild's process was started and given its limit. */
let started: Promise<void> | undefined;

/** Work that has esbuild to itself, one after another. */
let alone: Promise<unknown> = Promise.resolve();

/**
 * Does work with esbuild, whose one process all builds share. Code that is nested deeply enough ends that process,
 * and with it every build under way: each of those is then tried again by itself, in a new process. Throws
 * `invalid_tool` for the one that ends that too.
 */
export async function withEsbuild<T>(work: () => Promise<T>): Promise<T> {
  await untilShared();
  try {
    started ??= start();
    await started;
    return await work();
  } catch (error) {
    if (!isProcessGone(error)) throw error;
  }
  const turn = alone.then(() => tryAlone(work));
  alone = turn.catch(() => {});
  return turn;
}

async function untilShared(): Promise<void> {
  for (let seen: unknown; seen !== alone;) {
    seen = alone;
    await alone;
  }
}

async function tryAlone<T>(work: () => Promise<T>): Promise<T> {
  await forget();
  try {
    started = start();
    await started;
    return await work();
  } catch (error) {
    if (!isProcessGone(error)) throw error;
    await forget();
    const message = "the code is nested too deeply, or grows too large, to be built";
    throw new ServiceError("invalid_tool", message, {
      errors: [{ path: "/source/code", message }],
    });
  }
}

/** Only this makes esbuild's client forget a process that is gone. */
async function forget(): Promise<void> {
  started = undefined;
  await stop();
}

async function start(): Promise<void> {
  // The first thing that esbuild is asked starts its process, of which its client says nothing.
  await transform("");
  try {
    const children = await readFile(`/proc/self/task/${process.pid}/children`, "utf8");
    for (const pid of children.trim().split(" ")) {
      const program = await readFile(`/proc/${pid}/comm`, "utf8");
      if (program.trim() === "esbuild")
        await run("prlimit", [`--pid=${pid}`, `--data=${mostBytes}`]);
    }
  } catch {
    // Where this cannot be done, no tool can run either.
  }
}

function isProcessGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^The service (?:was stopped|is no longer running)/.test(error.message)
  );
}
