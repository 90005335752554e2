import { ServiceError } from "#core/errors";
import { toPointer } from "#lib/pointer";

const deepestJson = 100;
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The JSON body of a request. Throws `unsupported_media_type`, `payload_too_large`, or `invalid_request`
 * for what is no JSON that can be kept and given back unchanged (I-JSON, RFC 7493).
 */
export async function readJsonBody(request: Request, limitBytes: number): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !/^application\/[a-z0-9.-]+\+json$/.test(type)) {
    throw new ServiceError(
      "unsupported_media_type",
      "Send JSON, with Content-Type: application/json.",
    );
  }
  const text = decode(await readBytes(request, limitBytes));
  const depth = depthOf(text);
  if (depth > deepestJson) {
    throw new ServiceError("invalid_request", `The JSON is nested more than ${deepestJson} deep.`);
  }
  const value = parse(text);
  // Few texts can hold either, so few are walked.
  if (/\\u[dD][89a-fA-F]|[eE]\+?\d{3}|\d{300}/.test(text)) checkValues(value, []);
  return value;
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
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "";
    throw new ServiceError("invalid_request", `The body is not JSON: ${why}`, { cause });
  }
}

/** How deep arrays and objects are nested, without recursion. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth -= 1;
  }
  return deepest;
}

/** Refuses what JSON text can say and a JSON value cannot hold without loss. */
function checkValues(value: unknown, path: readonly string[]): void {
  const refuse = (what: string): never => {
    const message = `holds ${what}`;
    throw new ServiceError("invalid_request", `The body at "${toPointer(path)}" ${message}.`, {
      errors: [{ path: toPointer(path), message }],
    });
  };
  if (typeof value === "string" && !value.isWellFormed()) refuse("half a surrogate pair");
  if (typeof value === "number" && !Number.isFinite(value)) refuse("a number that is too large");
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!name.isWellFormed()) refuse("a name with half a surrogate pair");
    checkValues(member, [...path, name]);
  }
}
