import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import process from "node:process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { randomBytes } from "node:crypto";
import type { Session } from "../session.ts";
import { usageError } from "../terminal/cli-error.ts";

export type FileFlags = { output: string };

/**
 * Downloads a file that was uploaded, or that a run saved. A file in the place of the output is replaced after a complete
 * download only. The name comes from the user, never from the service.
 */
export async function saveFile(session: Session, { output }: FileFlags, fileId: string) {
  const isStdout = output === "-";
  if (!isStdout) await checkOutput(output);
  const { client } = await session.connect();
  const { body } = await client.files.download(fileId);
  if (body === null) throw new Error("The response has no body.");
  const content = Readable.fromWeb(body);
  if (isStdout) {
    await pipeline(content, process.stdout, { end: false });
    return;
  }
  const temporary = `${output}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await pipeline(content, createWriteStream(temporary, { flags: "wx" }));
    await rename(temporary, output);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const { size } = await stat(output);
  session.terminal.result({ fileId, file: output, size }, () => [
    `Saved ${output} (${size} bytes).`,
  ]);
}

async function checkOutput(output: string): Promise<void> {
  if (output === "") throw usageError("--output must be the name of a file.");
  const stats = await stat(output).catch(() => undefined);
  if (stats?.isDirectory() === true) throw usageError(`${output} is a directory, not a file.`);
}
