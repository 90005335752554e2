import { lstat, readFile } from "node:fs/promises";
import { usageError } from "../terminal/cli-error.ts";
import { isMissing } from "./write-atomic.ts";

const maxBytes = 16 * 1_048_576;

/**
 * Reads a text file of the project; undefined if there is none. Throws if something else is in its place: a link in a cloned project
 * could lead to a device without an end.
 */
export async function readRegular(path: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path);
    if (stats.isFile() && stats.size <= maxBytes) return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  throw usageError(`${path} is not a regular file, or too large. Move it away, then retry.`);
}
