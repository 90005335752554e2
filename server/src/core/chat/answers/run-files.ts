import { Readable } from "node:stream";
import type { UploadedFile } from "@toolhost/contract";
import type { ChatFile } from "../block.ts";
import type { ChatUpload } from "../platform.ts";
import type { Turn } from "../responder.ts";
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

/** What is put into a chat; the rest is got from the run's page. */
const maxSent = 5;
const maxSentBytes = 25 * 1024 * 1024;

/**
 * Makes a file of one that somebody put into the chat, in their name, and gives its id: the same one however often
 * the turn begins again. Throws `payload_too_large`, and `ChatError` as the platform refuses.
 */
export async function takeFile(context: ChatContext, turn: Turn, file: ChatFile): Promise<string> {
  const most = context.config.UPLOAD_MAX_BYTES;
  if (file.size > most) throw tooLarge(file, most);
  const request = keyedRequest(context, turn.caller, `chat:${turn.id}:file:${file.id}`, {
    method: "POST",
    path: "/upload",
    body: file.id,
  });
  for (let attempt = 0; attempt < 2; attempt++) {
    const kept = await findResponse(context, request);
    if (kept?.body != null) return (JSON.parse(kept.body) as UploadedFile).fileId;
    const idempotency = await openIdempotencyHandle(context, request, { present, isSecret: false });
    if (idempotency === undefined) continue;
    try {
      return await download(context, turn, { file, most, idempotency });
    } catch (error) {
      await releaseKey(context, request);
      throw error;
    }
  }
  throw new ServiceError("unavailable", "The file could not be taken. Try again.", {
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
    const { name, mimeType, body } = await turn.downloadFile(file, most);
    return { name, mimeType, spooled: await spool(context, body, most) };
  } catch (error) {
    // What the platform said of it tells whether to try again.
    const cause = error instanceof ServiceError ? error.cause : error;
    if (!(cause instanceof ChatError)) throw error;
    if (cause.failure === "later" || cause.failure === "revoked") throw cause;
    const shown = JSON.stringify(file.name.slice(0, 100));
    throw new ServiceError("invalid_request", `I cannot get the file ${shown} from this chat.`, {
      cause,
    });
  }
}

function plainType(given: string): string | undefined {
  const bare = given.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(bare) ? bare : undefined;
}

function tooLarge({ name }: ChatFile, most: number): ServiceError {
  const megabytes = Math.floor(most / (1024 * 1024));
  return new ServiceError(
    "payload_too_large",
    `The file ${JSON.stringify(name.slice(0, 100))} is too large: at most ${megabytes} MB.`,
  );
}

/**
 * Puts files that a run saved into the thread, as far as they are its own and not too large; a tool may name
 * others, and those are not shown to a channel for that.
 */
export async function sendFiles(
  context: ChatContext,
  turn: Turn,
  { runId, files }: { runId: string; files: readonly OutputFile[] },
): Promise<void> {
  for (const file of files.slice(0, maxSent)) {
    const upload = await openUpload(context, turn, runId, file);
    if (upload === undefined) continue;
    try {
      await turn.sendFile(upload);
    } catch (error) {
      upload.body.destroy();
      // The result itself is told already, with a link to the rest.
      if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
      context.log.debug({ err: error, runId }, "a run's file was not taken by the chat");
    }
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
    if (found.runId !== runId || found.size > maxSentBytes) return undefined;
    const { fileName: name, mimeType, size } = found;
    return { name, mimeType, size, body: await found.open() };
  } catch (error) {
    if (error instanceof ServiceError && error.code === "file_not_found") return undefined;
    throw error;
  }
}
