import type { Buffer } from "node:buffer";
import { pickVersion, readPackument } from "./packument.ts";

/** The versions that a tool can declare. */
const declarable = /^(?=.{1,100}$)\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.-]+)?$/;

/**
 * The version that npm installs without a range: the one with the tag `latest`, or else the highest release. Undefined if the
 * registry has no package of this name, or no such version of it.
 */
export async function findNewestVersion(
  [name = ""]: readonly string[],
  fetchPackument: (name: string) => Promise<Buffer | undefined>,
): Promise<string | undefined> {
  const bytes = await fetchPackument(name);
  if (bytes === undefined) return undefined;
  const packument = readPackument(name, bytes);
  const newest = pickVersion(name, packument, "latest") ?? pickVersion(name, packument, ">=0.0.0");
  return newest !== undefined && declarable.test(newest.version) ? newest.version : undefined;
}
