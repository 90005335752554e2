import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads a file of this folder, without comments. */
export function readLines(name: string): string[] {
  const text = readFileSync(join(import.meta.dirname, name), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}
