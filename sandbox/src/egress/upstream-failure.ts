import { errors } from "undici";
import { UpstreamError } from "./egress-errors.ts";
import type { Target } from "./target.ts";

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "it refused the connection",
  ECONNRESET: "it closed the connection",
  EPIPE: "it closed the connection",
  UND_ERR_SOCKET: "it closed the connection",
  ETIMEDOUT: "no connection came about in time",
  UND_ERR_CONNECT_TIMEOUT: "no connection came about in time",
  EHOSTUNREACH: "it cannot be reached",
  ENETUNREACH: "it cannot be reached",
  UND_ERR_HEADERS_OVERFLOW: "its answer has too many headers",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "its answer is not of the length it said",
};

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_/;
const TLS = /^ERR_(?:TLS|SSL)|^EPROTO$/;

/** What went wrong outside, in words for the tool that name the host and no address. */
export function upstreamFailure(target: Target, error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const reason = reasonOf(error);
  return new UpstreamError(`fetch failed: ${target.name}: ${reason}`, { cause: error });
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const words = code === undefined ? undefined : WORDS[code];
  if (words !== undefined) return words;
  if (code !== undefined && CERTIFICATE.test(code)) {
    return `its certificate was not accepted (${code})`;
  }
  if (code !== undefined && TLS.test(code)) return `no TLS connection came about (${code})`;
  if (error instanceof errors.HTTPParserError) return "its answer is not HTTP";
  return code === undefined ? "the request failed" : `the request failed (${code})`;
}

// One of several attempts may have failed otherwise than the last.
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error.cause);
}
