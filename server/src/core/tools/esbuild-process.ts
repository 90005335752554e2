import { stop } from "esbuild";
import { ServiceError } from "#core/errors";

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
  // Only this makes esbuild's client forget a process that is gone.
  await stop();
  try {
    return await work();
  } catch (error) {
    if (!isProcessGone(error)) throw error;
    await stop();
    const message = "the code is nested too deeply to be built";
    throw new ServiceError("invalid_tool", message, {
      errors: [{ path: "/source/code", message }],
    });
  }
}

function isProcessGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^The service (?:was stopped|is no longer running)/.test(error.message)
  );
}
