import type { Files } from "./files.ts";
import type { CallOptions } from "./http.ts";
import { deriveUuid } from "./uuid.ts";

/**
 * Uploads the `Blob`s and `File`s among the fields of an input, or in a list in one of them, and puts their IDs in their place.
 * With a key, a repetition uploads with the same keys, so the input has the same IDs again.
 */
export async function uploadInputFiles(
  files: Files,
  input: unknown,
  { signal, idempotencyKey: key }: Pick<CallOptions, "signal" | "idempotencyKey">,
): Promise<unknown> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const upload = async (value: unknown, ...path: (string | number)[]): Promise<unknown> => {
    if (!(value instanceof Blob)) return value;
    const idempotencyKey =
      key === undefined ? undefined : await deriveUuid(JSON.stringify([key, ...path]));
    return (await files.upload(value, { signal, idempotencyKey })).fileId;
  };
  const fields = Object.entries(input as Record<string, unknown>).map(
    async ([name, value]) =>
      [
        name,
        await (Array.isArray(value)
          ? Promise.all(value.map((item, index) => upload(item, name, index)))
          : upload(value, name)),
      ] as const,
  );
  return Object.fromEntries(await Promise.all(fields));
}
