import { stat } from "node:fs/promises";
import type { Client } from "@toolhost/client";
import type { LocalTool } from "../project/local-tools.ts";
import { parseAssignments, readInputFile } from "../runs/run-input.ts";
import type { RunInput } from "../runs/run-input.ts";
import { uploadFiles } from "../runs/upload-files.ts";
import { usageError } from "../terminal/cli-error.ts";

export type InputFlags = { input?: string; example: string };

/** Where the input of each run comes from: a file or an example, and values on the command line. */
export type InputSource = (local: LocalTool) => Promise<unknown>;

/**
 * Reads the input for each run, so it can be changed as well. Undefined if nothing gives one. Files on the command line are
 * uploaded again only when they change.
 */
export function createInputSource(
  client: Client,
  flags: InputFlags,
  words: readonly string[],
): InputSource {
  let last: { key: string; values: RunInput } | undefined;
  const readWords = async ({ definition }: LocalTool): Promise<RunInput> => {
    const { inputSchema, fileFields } = definition;
    const stamps = await Promise.all(words.map(stampOf));
    const key = JSON.stringify([inputSchema, fileFields, stamps]);
    if (last?.key !== key) {
      const typed = await parseAssignments(words, { inputSchema, fileFields });
      last = { key, values: await uploadFiles(client, typed) };
    }
    return last.values;
  };
  return async (local) => {
    const given = await readGiven(flags, local);
    if (words.length === 0) return given;
    const values = await readWords(local);
    return typeof given === "object" ? { ...given, ...values } : values;
  };
}

async function readGiven({ input, example }: InputFlags, { definition }: LocalTool) {
  if (input !== undefined) return readInputFile(input);
  const { examples } = definition;
  const number = Number(example);
  const found = examples[number - 1];
  if (found !== undefined) return found.input;
  if (examples.length === 0 && number === 1) return undefined;
  throw usageError(`There is no example ${example}. The tool has ${examples.length}.`);
}

/** Changes when the file that a value names changes. */
async function stampOf(word: string): Promise<string> {
  const path = /^[^=:]+=@([\s\S]*)$/.exec(word)?.[1];
  if (path === undefined) return "";
  const stats = await stat(path).catch(() => undefined);
  return stats === undefined ? "" : `${stats.mtimeMs} ${stats.size}`;
}
