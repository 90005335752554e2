import type { Client } from "@toolhost/client";
import type { RunInput } from "./run-input.ts";

/** Uploads the files among the fields of an input, and puts their IDs in their place. */
export async function uploadFiles({ files }: Client, input: RunInput): Promise<RunInput> {
  const upload = async (value: unknown): Promise<unknown> =>
    value instanceof Blob ? (await files.upload(value)).fileId : value;
  const fields = Object.entries(input).map(
    async ([name, value]) =>
      [
        name,
        await (Array.isArray(value) ? Promise.all(value.map(upload)) : upload(value)),
      ] as const,
  );
  return Object.fromEntries(await Promise.all(fields));
}
