import type { JsonObject } from "@toolhost/contract";

/** The input of an example without its files: they belong to the author and expire, so the user chooses their own. */
export function exampleInput(input: JsonObject, fileFields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !fileFields.includes(name)));
}
