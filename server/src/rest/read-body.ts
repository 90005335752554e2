import { ServiceError } from "#core/errors";

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
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value)) {
    throw new ServiceError(
      "invalid_request",
      "The JSON holds half a surrogate pair, which is no text.",
    );
  }
  return value;
}

/** The body's bytes. Throws `payload_too_large` as soon as it is known to have more than `limit`. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new ServiceError("payload_too_large", `The body may have ${limit} bytes.`);
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > limit) throw tooLarge();
    return new Uint8Array(await request.arrayBuffer());
  }
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(
    ([name, member]) => name.isWellFormed() && isWellFormed(member),
  );
}
