import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { BusboyInstance } from "@fastify/busboy";
import type { Context } from "#core/context";
import { spool, tooLarge } from "#core/files";
import type { Spooled } from "#core/files";
import { ServiceError } from "#core/kernel";
import { messages } from "./messages.ts";

export type FormFile = { field: string; name: string; mimeType: string; spooled: Spooled };

type Multipart = {
  fields: URLSearchParams;
  files: FormFile[];
  /** Deletes the files that were not stored. */
  discard(): Promise<void>;
};

/** The maximum size of a form besides its files. */
const maxTextBytes = 1024 * 1024;
const limits = { fields: 1_000, fieldSize: 256 * 1024, files: 100, parts: 1_100, headerPairs: 50 };

/**
 * Reads a form with files, one chunk in memory at a time. Throws `payload_too_large` if its files exceed the limit of
 * one upload together, and `invalid_request`. The caller has checked the form's origin.
 */
export async function readMultipart(context: Context, request: Request): Promise<Multipart> {
  const maxBytes = context.config.UPLOAD_MAX_BYTES;
  const fields = new URLSearchParams();
  const spooling: Promise<FormFile | undefined>[] = [];
  const stopping = new AbortController();
  const form = openForm(request.headers.get("content-type") ?? "");
  const spooled = async () =>
    (await Promise.allSettled(spooling)).flatMap((one) =>
      one.status === "fulfilled" && one.value !== undefined ? [one.value] : [],
    );
  const discard = async () => {
    for (const file of await spooled()) await file.spooled.discard();
  };
  form.on("field", (name, value) => fields.append(name, value));
  form.on("file", (field, stream, name, _encoding, mimeType) => {
    stream.on("error", () => undefined);
    // A file field in which nothing was chosen.
    if (name === undefined || name === "") {
      stream.resume();
      return;
    }
    stopping.signal.addEventListener("abort", () => stream.destroy());
    const one = spool(context, stream, maxBytes).then((file) => {
      return { field, name, mimeType, spooled: file };
    });
    one.catch((error: unknown) => stopping.abort(error));
    spooling.push(one);
  });
  try {
    const body = request.body === null ? Readable.from([]) : Readable.fromWeb(request.body);
    await pipeline(body, limitSize(maxBytes), form, { signal: stopping.signal });
    return { fields, files: await all(spooling), discard };
  } catch (error) {
    stopping.abort(error);
    await discard();
    const { reason } = stopping.signal;
    throw reason instanceof ServiceError ? reason : malformed(error);
  }
}

async function all(spooling: Promise<FormFile | undefined>[]): Promise<FormFile[]> {
  return (await Promise.all(spooling)).filter((file) => file !== undefined);
}

function openForm(type: string): BusboyInstance {
  try {
    return new Busboy({ headers: { "content-type": type }, limits });
  } catch (cause) {
    throw malformed(cause);
  }
}

/** Passes bytes through, up to the size of a form with the largest allowed file. */
function limitSize(fileBytes: number) {
  return async function* limit(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.byteLength;
      if (size > fileBytes + maxTextBytes) throw tooLarge(fileBytes);
      yield chunk;
    }
  };
}

function malformed(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  return new ServiceError("invalid_request", messages.page.malformedForm, { cause });
}
