import type { Client } from "@toolhost/client";
import type { ToolExample } from "@toolhost/contract";
import { isRecord } from "../json.ts";
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

/** Uploads the files that an example brings, and returns its input with their IDs. */
export async function uploadExampleFiles(
  client: Client,
  input: unknown,
  files: NonNullable<ToolExample["files"]>,
): Promise<unknown> {
  if (!isRecord(input)) return input;
  const ids = Object.entries(files).map(async ([name, body]) => {
    const { fileId } = await client.request("POST /upload", { body });
    return [name, Array.isArray(input[name]) ? [fileId] : fileId] as const;
  });
  return { ...input, ...Object.fromEntries(await Promise.all(ids)) };
}
