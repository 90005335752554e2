import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { spool, tooLarge } from "#core/files";
import type { Spooled } from "#core/files";
import { reserveUpload } from "#core/limits";
import { jsonLimits } from "#core/validation";
import { checkIsUncompressed, readJsonBody } from "./read-body.ts";
import type { ReceivedBody } from "./route.ts";

/** The maximum size of a form besides its file. */
const maxFormOverheadBytes = 1024 * 1024;

/**
 * Reads the body of an upload: a form, JSON, or with `?fileName=` the bytes of the file. They are spooled before the Idempotency-Key is checked, as the fingerprint
 * includes its hash; the bytes of a replay are deleted afterwards. Throws `rate_limited` while too many uploads are in progress.
 */
export async function readUpload(
  context: Context,
  request: Request,
  caller: Caller,
): Promise<ReceivedBody> {
  const { UPLOAD_MAX_BYTES } = context.config;
  const type = request.headers.get("content-type") ?? "";
  const rawName = new URL(request.url).searchParams.get("fileName");
  if (rawName === null && !/^multipart\/form-data *;/i.test(type)) {
    return readJsonBody(context, caller, request, jsonLimits);
  }
  checkIsUncompressed(request);
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > UPLOAD_MAX_BYTES + maxFormOverheadBytes) throw tooLarge(UPLOAD_MAX_BYTES);
  const release = reserveUpload(context, caller);
  const reading =
    rawName === null
      ? readForm(context, request, type)
      : spool(context, request.body ?? [], UPLOAD_MAX_BYTES).then((spooled) => {
          return { name: rawName, mimeType: type || "application/octet-stream", spooled };
        });
  const { name, mimeType, spooled } = await reading.finally(release);
  const { size, sha256 } = spooled;
  const value = { fileName: name, mimeType, size };
  return { value, fingerprint: { ...value, sha256 }, upload: spooled };
}

type FormFile = { name: string; mimeType: string; spooled: Spooled };

/** Reads the part `file` of a form and ignores the others. */
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
    await pipeline(body, limitSize(UPLOAD_MAX_BYTES), form, { signal: stopping.signal });
  } catch (error) {
    current?.destroy(error instanceof Error ? error : undefined);
    // The file may be complete even if the form is not.
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
    throw malformedForm(cause);
  }
}

/** Passes bytes through, up to the size of a form with the largest allowed file. */
function limitSize(fileBytes: number) {
  return async function* limit(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.byteLength;
      if (size > fileBytes + maxFormOverheadBytes) throw tooLarge(fileBytes);
      yield chunk;
    }
  };
}

function reasonOf(error: unknown, { aborted, reason }: AbortSignal): unknown {
  if (aborted && reason instanceof Error) return reason;
  return error instanceof ServiceError ? error : malformedForm(error);
}

function malformedForm(cause: unknown): ServiceError {
  return new ServiceError("invalid_request", "The form is incomplete or malformed.", {
    cause,
  });
}

function notOneFile(what: string): ServiceError {
  return new ServiceError("invalid_request", `The form ${what} part named "file".`);
}
