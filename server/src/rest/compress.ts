import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { StoredResponse } from "#core/kernel";
import { toResponse } from "./response.ts";

/** Below this size, a response fits into a packet or two anyway. */
const minCharacters = 1_024;

/** Content codings in order of preference (RFC 9110, section 8.4.1). They run on other threads than the requests. */
const codings = new Map<string, (text: string) => Promise<Buffer>>([
  ["br", (text) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ["gzip", (text) => deflate(text, { level: 6 })],
]);
const brotli = promisify(brotliCompress);
const deflate = promisify<string, { level: number }, Buffer>(gzip);

/** The response to send: compressed if it is long and the client accepts that. */
export function toCompressed(
  stored: StoredResponse,
  acceptEncoding: string | null,
): Response | Promise<Response> {
  const { status, headers, body } = stored;
  if (body === null || body.length < minCharacters) return toResponse(stored);
  const varied = { ...headers, vary: "Accept-Encoding" };
  const coding = chooseCoding(acceptEncoding ?? "");
  if (coding === undefined) return toResponse({ status, headers: varied, body });
  const [name, compress] = coding;
  return compress(body).then(
    (bytes) => new Response(bytes, { status, headers: { ...varied, "content-encoding": name } }),
  );
}

/** The first coding that the client accepts: one that it names without `q=0` (RFC 9110, section 12.5.3). */
function chooseCoding(acceptEncoding: string) {
  const accepted = new Set<string>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim());
    if (!parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) accepted.add(name);
  }
  return codings.entries().find(([name]) => accepted.has(name));
}
