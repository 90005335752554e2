import { errors } from "undici";
import { isConnectFailure } from "./connections.ts";
import { UpstreamError } from "./egress-errors.ts";
import type { Target } from "./target.ts";

const advice = "Check that the server runs, and that no firewall blocks this service";
const timedOut = `connection timed out. ${advice}`;
const unreachable = `host unreachable. ${advice}`;

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused. Check that the server runs and listens on this port",
  ECONNRESET: "connection closed by the host",
  EPIPE: "connection closed by the host",
  UND_ERR_SOCKET: "connection closed by the host",
  ETIMEDOUT: timedOut,
  UND_ERR_CONNECT_TIMEOUT: timedOut,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  UND_ERR_HEADERS_OVERFLOW: "the response has too many headers",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the response does not match its Content-Length",
};

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_/;
const TLS = /^ERR_(?:TLS|SSL)|^EPROTO$/;

/** Converts a network error to one for the tool, whose message names the host but no IP address. */
export function upstreamFailure(target: Target, error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const reason = reasonOf(error);
  return new UpstreamError(`fetch failed: ${target.name}: ${reason}`, {
    cause: error,
    isUnsent: isConnectFailure(error),
  });
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const reason = code === undefined ? undefined : REASONS[code];
  if (reason !== undefined) return reason;
  if (code !== undefined && CERTIFICATE.test(code)) {
    return `the TLS certificate was rejected (${code})`;
  }
  if (code !== undefined && TLS.test(code)) return `the TLS handshake failed (${code})`;
  if (error instanceof errors.HTTPParserError) return "the response is not valid HTTP";
  return code === undefined ? "the request failed" : `the request failed (${code})`;
}

// With several connection attempts, the first error is reported.
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error.cause);
}
