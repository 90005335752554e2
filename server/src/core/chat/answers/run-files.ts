import { Readable } from "node:stream";
import type { UploadedFile } from "@toolhost/contract";
import type { ChatBlock, ChatFile } from "../block.ts";
import type { ChatUpload } from "../platform.ts";
import { reply, uploadFile } from "../turn.ts";
import type { Turn } from "../turn.ts";
import { ChatError } from "../chat-error.ts";
import type { ChatContext } from "../context.ts";
import {
  keyedRequest,
  openIdempotencyHandle,
  findResponse,
  releaseKey,
  ServiceError,
} from "#core/kernel";
import { createFile, getFile, mimeTypeOf, spool } from "#core/files";
import { isId } from "#lib/ids";
import type { OutputFile } from "./output-blocks.ts";
import { messages } from "./messages.ts";

/** Limits of files that are posted; the run's page has the rest. */
const maxSent = 5;
const maxSentBytes = 25 * 1024 * 1024;

/**
 * Uploads a file of the chat in the person's name and returns its ID, the same for every attempt of the job. Throws
 * `payload_too_large`, and the `ChatError` of the platform.
 */
export async function takeFile(context: ChatContext, turn: Turn, file: ChatFile): Promise<string> {
  if (file.fileId !== undefined) return file.fileId;
  const most = context.config.UPLOAD_MAX_BYTES;
  if (file.size > most) throw tooLarge(file, most);
  const request = keyedRequest(context, turn.caller, `chat:${turn.job.id}:file:${file.id}`, {
    method: "POST",
    path: "/upload",
    body: file.id,
  });
  for (let attempt = 0; attempt < 2; attempt++) {
    const stored = await findResponse(context, request);
    if (stored?.body != null) return (JSON.parse(stored.body) as UploadedFile).fileId;
    const idempotency = await openIdempotencyHandle(context, request, { present, isSecret: false });
    if (idempotency === undefined) continue;
    try {
      return await download(context, turn, { file, most, idempotency });
    } catch (error) {
      await releaseKey(context, request);
      throw error;
    }
  }
  throw new ServiceError("unavailable", messages.fileNotUploaded, {
    retryAfterSeconds: 1,
  });
}

function present(made: unknown) {
  return { status: 201, headers: {}, body: JSON.stringify(made) };
}

type Taking = {
  file: ChatFile;
  most: number;
  idempotency: NonNullable<Turn["caller"]["idempotency"]>;
};

async function download(
  context: ChatContext,
  turn: Turn,
  { file, most, idempotency }: Taking,
): Promise<string> {
  const { name, mimeType, spooled } = await fetchBytes(context, turn, file, most);
  try {
    const info = { fileName: name, mimeType: plainType(mimeType) ?? mimeTypeOf(name) };
    const made = await createFile(context, { ...turn.caller, idempotency }, info, { spooled });
    return made.fileId;
  } finally {
    await spooled.discard();
  }
}

async function fetchBytes(context: ChatContext, turn: Turn, file: ChatFile, most: number) {
  try {
    const { name, mimeType, body } = await turn.transport.downloadFile(file, most);
    return { name, mimeType, spooled: await spool(context, body, most) };
  } catch (error) {
    // The cause determines whether the job is retried.
    const cause = error instanceof ServiceError ? error.cause : error;
    if (!(cause instanceof ChatError)) throw error;
    if (cause.failure === "later" || cause.failure === "revoked") throw cause;
    const shown = JSON.stringify(file.name.slice(0, 100));
    throw new ServiceError("invalid_request", messages.fileUnavailable(shown), {
      cause,
    });
  }
}

/** A media type without parameters; undefined if it is malformed. */
export function plainType(given: string): string | undefined {
  const bare = given.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(bare) ? bare : undefined;
}

function tooLarge({ name }: ChatFile, most: number): ServiceError {
  const megabytes = Math.floor(most / (1024 * 1024));
  return new ServiceError(
    "payload_too_large",
    messages.fileTooLarge(JSON.stringify(name.slice(0, 100)), megabytes),
  );
}

type Sent = { runId: string; files: readonly OutputFile[]; blocks: readonly ChatBlock[] };

/**
 * Posts files that a run saved, within the limits, and adds the others to the reply. A tool may name files of others,
 * which must not reach the channel.
 */
export async function sendFiles(
  context: ChatContext,
  turn: Turn,
  { runId, files, blocks }: Sent,
): Promise<void> {
  const problems: string[] = [];
  for (const file of files.slice(0, maxSent)) {
    const upload = await openUpload(context, turn, runId, file);
    if (upload === undefined) continue;
    const { name, size } = upload;
    const { files: areAccepted } = turn.transport.capabilities;
    const fits = areAccepted && size > 0 && size <= maxSentBytes;
    if (fits && (await isSent(context, turn, upload))) continue;
    upload.body.destroy();
    problems.push(size === 0 ? messages.fileEmpty(name) : messages.fileNotAttached(name));
  }
  if (problems.length === 0) return;
  await reply(context, turn, [...blocks, { kind: "text", text: problems.join("\n") }]);
}

async function isSent(context: ChatContext, turn: Turn, upload: ChatUpload): Promise<boolean> {
  try {
    await uploadFile(context, turn, upload);
    return true;
  } catch (error) {
    // The result is already posted, with a link to the run.
    if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    context.log.debug({ err: error, job: turn.job.id }, "a file of a run could not be posted");
    return false;
  }
}

async function openUpload(
  context: ChatContext,
  { caller }: Turn,
  runId: string,
  file: OutputFile,
): Promise<ChatUpload | undefined> {
  if ("body" in file) {
    const { fileName: name, mimeType, body } = file;
    return { name, mimeType, size: body.length, body: Readable.from([body]) };
  }
  if (!isId(file.fileId)) return undefined;
  try {
    const found = await getFile(context, caller, file.fileId);
    if (found.runId !== runId) return undefined;
    const { fileName: name, mimeType, size } = found;
    return { name, mimeType, size, body: await found.open() };
  } catch (error) {
    if (error instanceof ServiceError && error.code === "file_not_found") return undefined;
    throw error;
  }
}
