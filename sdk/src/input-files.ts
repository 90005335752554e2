import type { Files } from "./files.ts";

/** Uploads the `Blob`s and `File`s among the fields of an input, or in a list in one of them, and puts their IDs in their place. */
export async function uploadInputFiles(
  files: Files,
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const upload = async (value: unknown): Promise<unknown> =>
    value instanceof Blob ? (await files.upload(value, { signal })).fileId : value;
  const fields = Object.entries(input as Record<string, unknown>).map(
    async ([name, value]) =>
      [
        name,
        await (Array.isArray(value) ? Promise.all(value.map(upload)) : upload(value)),
      ] as const,
  );
  return Object.fromEntries(await Promise.all(fields));
}
