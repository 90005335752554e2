import { noWorkspace, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { reserveBody } from "#core/limits";
import { largeText } from "#core/validation";
import { StrictJsonError } from "#lib/strict-json";
import type { JsonLimits } from "#lib/strict-json";
import type { ReceivedBody } from "./route.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the JSON body of a request. Throws `unsupported_media_type`, `payload_too_large`, and `invalid_request` for JSON that
 * cannot be stored and returned unchanged (I-JSON, RFC 7493).
 */
export async function readJsonBody(
  context: Context,
  caller: Caller,
  request: Request,
  limits: JsonLimits,
): Promise<ReceivedBody> {
  checkIsJson(request);
  const bytes = await readCallersBytes(context, caller, request);
  return parseBody(context, caller, bytes, limits);
}

/** Like `readJsonBody`, for an optional body. The value of a missing one is undefined. */
export async function readOptionalJsonBody(
  context: Context,
  caller: Caller,
  request: Request,
  limits: JsonLimits,
): Promise<ReceivedBody> {
  const bytes = await readCallersBytes(context, caller, request);
  if (bytes.byteLength === 0) return { value: undefined };
  checkIsJson(request);
  return parseBody(context, caller, bytes, limits);
}

function checkIsJson(request: Request): void {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !/^application\/[a-z0-9.-]+\+json$/.test(type)) {
    throw new ServiceError(
      "unsupported_media_type",
      "Send JSON, with Content-Type: application/json.",
    );
  }
}

async function parseBody(
  context: Context,
  caller: Caller,
  bytes: Uint8Array,
  limits: JsonLimits,
): Promise<ReceivedBody> {
  const text = decode(bytes);
  const subject = subjectOf(caller);
  const value = explainJsonErrors(() => context.validation.parseJson(subject, text, limits));
  // Canonicalizing a large text for the fingerprint takes longer than parsing it.
  const canonical =
    text.length < largeText ? undefined : await context.validation.canonicalize(subject, text);
  return { value, canonical };
}

/** Throws `unsupported_media_type` for a compressed body, whose size is unknown before it is read. */
export function checkIsUncompressed(request: Request): void {
  const coding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") return;
  throw new ServiceError(
    "unsupported_media_type",
    "Send the body uncompressed, without Content-Encoding.",
  );
}

/** The workspace or user that the CPU time of a request is charged to. */
export function subjectOf({ workspaceId, userId }: Pick<Caller, "workspaceId" | "userId">): string {
  return workspaceId === noWorkspace ? userId : workspaceId;
}

/**
 * Reads the body of a caller, which may arrive slowly. Throws `payload_too_large`, and `rate_limited` while too many large
 * bodies of the same user are arriving.
 */
export async function readCallersBytes(
  context: Context,
  caller: Pick<Caller, "userId">,
  request: Request,
): Promise<Uint8Array<ArrayBuffer>> {
  checkIsUncompressed(request);
  const limit = context.config.BODY_MAX_BYTES;
  const declared = Number(request.headers.get("content-length") ?? Infinity);
  if (declared <= largeText || request.body === null) return readBytes(request, limit);
  const release = reserveBody(context, caller);
  return readBytes(request, limit).finally(release);
}

/**
 * Reads the body. Throws `payload_too_large` as soon as it exceeds `limit` bytes. A declared body that is not much larger is
 * received first: the HTTP server soon closes the connection of one that still arrives, and the client's next request fails.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new ServiceError("payload_too_large", `The body can have at most ${limit} bytes.`);
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > limit) {
      if (Number(declared) <= 2 * limit) await discard(request);
      throw tooLarge();
    }
    return new Uint8Array(await rejectIncomplete(() => request.arrayBuffer()));
  }
  const { body } = request;
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  await rejectIncomplete(async () => {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge();
      chunks.push(chunk);
    }
  });
  return Buffer.concat(chunks);
}

async function discard({ body }: Request): Promise<void> {
  try {
    await body?.pipeTo(new WritableStream());
  } catch {
    // The client disconnected and gets no response.
  }
}

/** A client that disconnects while sending causes an invalid request, not an internal error. */
async function rejectIncomplete<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError("invalid_request", "The body is incomplete.", { cause });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new ServiceError("invalid_request", "The body is not UTF-8.", { cause });
  }
}

function explainJsonErrors(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    const { message, reason, path } = cause;
    const errors = path === undefined ? undefined : [{ path, message: reason }];
    const options = errors === undefined ? { cause } : { cause, errors };
    throw new ServiceError("invalid_request", `The body ${message}.`, options);
  }
}
