import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { spool, tooLarge } from "#core/files";
import type { Spooled } from "#core/files";
import { holdUpload } from "#core/limits";
import { jsonLimits } from "#core/validation";
import { readJsonBody } from "./read-body.ts";
import type { ReceivedBody } from "./route.ts";

/** What a form may have around its file. */
const formOverheadBytes = 1024 * 1024;

/**
 * Reads the body of an upload. A form's file is collected aside, before its Idempotency-Key is looked at: the
 * fingerprint is made of its hash, which nobody knows earlier. Bytes that came again are discarded after.
 * Throws `rate_limited` when too many uploads are under way.
 */
export async function readUpload(
  context: Context,
  request: Request,
  caller: Caller,
): Promise<ReceivedBody> {
  const { UPLOAD_MAX_BYTES } = context.config;
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data *;/i.test(type)) {
    return readJsonBody(context, caller, request, jsonLimits);
  }
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > UPLOAD_MAX_BYTES + formOverheadBytes) throw tooLarge(UPLOAD_MAX_BYTES);
  const release = holdUpload(context, caller);
  const { name, mimeType, spooled } = await readForm(context, request, type).finally(release);
  const { size, sha256 } = spooled;
  const value = { fileName: name, mimeType, size };
  return { value, fingerprint: { ...value, sha256 }, upload: spooled };
}

type FormFile = { name: string; mimeType: string; spooled: Spooled };

/** The part `file` of a form, whatever stands beside it. */
async function readForm(context: Context, request: Request, type: string): Promise<FormFile> {
  const { UPLOAD_MAX_BYTES } = context.config;
  const form = openForm(type);
  const stopping = new AbortController();
  let found: Promise<FormFile> | undefined;
  let current: BusboyFileStream | undefined;
  form.on("file", (field, stream, fileName, _encoding, mimeType) => {
    stream.on("error", () => undefined);
    if (field !== "file" || found !== undefined) {
      if (field === "file") stopping.abort(notOneFile("has more than one"));
      stream.resume();
      return;
    }
    current = stream;
    const name = fileName === undefined || fileName === "" ? "file" : fileName;
    found = spool(context, stream, UPLOAD_MAX_BYTES).then((spooled) => {
      return { name, mimeType, spooled };
    });
    found.catch((error: unknown) => stopping.abort(error));
  });
  try {
    const body = request.body === null ? Readable.from([]) : Readable.fromWeb(request.body);
    await pipeline(body, bounded(UPLOAD_MAX_BYTES), form, { signal: stopping.signal });
  } catch (error) {
    current?.destroy(error instanceof Error ? error : undefined);
    // What was collected may be whole although the form is not.
    await found?.then(({ spooled }) => spooled.discard()).catch(() => undefined);
    throw reasonOf(error, stopping.signal);
  }
  if (found === undefined) throw notOneFile("has no");
  return found;
}

function openForm(type: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": type },
      limits: { fields: 20, fieldSize: 64 * 1024, parts: 21, headerPairs: 50 },
      isPartAFile: (field, _type, fileName) => field === "file" || fileName !== undefined,
    });
  } catch (cause) {
    throw broken(cause);
  }
}

/** Passes bytes on up to what a form with the largest file may have. */
function bounded(fileBytes: number) {
  return async function* bound(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.byteLength;
      if (size > fileBytes + formOverheadBytes) throw tooLarge(fileBytes);
      yield chunk;
    }
  };
}

function reasonOf(error: unknown, { aborted, reason }: AbortSignal): unknown {
  if (aborted && reason instanceof Error) return reason;
  return error instanceof ServiceError ? error : broken(error);
}

function broken(cause: unknown): ServiceError {
  return new ServiceError("invalid_request", "The form is not complete or not well formed.", {
    cause,
  });
}

function notOneFile(what: string): ServiceError {
  return new ServiceError("invalid_request", `The form ${what} part with the name "file".`);
}
