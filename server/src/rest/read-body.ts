import { ServiceError } from "#core/errors";
import { parseStrictJson, StrictJsonError } from "#lib/strict-json";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The JSON body of a request. Throws `unsupported_media_type`, `payload_too_large`, or `invalid_request`
 * for what is no JSON that can be kept and given back unchanged (I-JSON, RFC 7493).
 */
export async function readJsonBody(request: Request, limitBytes: number): Promise<unknown> {
  checkIsJson(request);
  return parse(decode(await readBytes(request, limitBytes)));
}

/** The same for a body that may be left out; then it is undefined. */
export async function readOptionalJsonBody(request: Request, limitBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, limitBytes);
  if (bytes.byteLength === 0) return undefined;
  checkIsJson(request);
  return parse(decode(bytes));
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

/** The body's bytes. Throws `payload_too_large` as soon as it is known to have more than `limit`. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new ServiceError("payload_too_large", `The body may have ${limit} bytes.`);
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > limit) throw tooLarge();
    return new Uint8Array(await unlessCutOff(() => request.arrayBuffer()));
  }
  const { body } = request;
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  await unlessCutOff(async () => {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge();
      chunks.push(chunk);
    }
  });
  return Buffer.concat(chunks);
}

/** A sender who goes away in the middle is no fault of the service. */
async function unlessCutOff<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError("invalid_request", "The body was cut off.", { cause });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new ServiceError("invalid_request", "The body is not UTF-8.", { cause });
  }
}

function parse(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    const { message, reason, path } = cause;
    const errors = path === undefined ? undefined : [{ path, message: reason }];
    const options = errors === undefined ? { cause } : { cause, errors };
    throw new ServiceError("invalid_request", `The body ${message}.`, options);
  }
}
