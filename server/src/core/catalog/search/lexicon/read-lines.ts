import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Work in steps of a few milliseconds, between which others may take their turn. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Reads a file of this folder, without comments. */
export function readLines(name: string): string[] {
  const text = readFileSync(join(import.meta.dirname, name), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}
