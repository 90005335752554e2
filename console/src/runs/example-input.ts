import type { JsonObject, ToolExample } from "@toolhost/contract";
import { api } from "#api/client";

/** The input of an example without its files: they belong to the author and expire, so the user chooses their own. */
export function exampleInput(input: JsonObject, fileFields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !fileFields.includes(name)));
}

/** Uploads the files that an example brings, and returns its input with their IDs. */
export async function withExampleFiles(
  input: JsonObject,
  files: ToolExample["files"],
  signal?: AbortSignal,
): Promise<JsonObject> {
  const ids = Object.entries(files ?? {}).map(async ([name, body]) => {
    const { fileId } = await api.send("POST /upload", {
      body,
      ...(signal === undefined ? {} : { signal }),
    });
    return [name, Array.isArray(input[name]) ? [fileId] : fileId] as const;
  });
  return { ...input, ...Object.fromEntries(await Promise.all(ids)) };
}
