/** Identifies a span to other processes (W3C Trace Context, https://www.w3.org/TR/trace-context/). */
export type TraceContext = {
  traceId: string;
  spanId: string;
  isSampled: boolean;
  /** Entries of tracing systems, passed on unchanged. */
  tracestate: string | undefined;
};

/** §3.2.2: lower-case hexadecimal fields. Later versions may append fields (§4.3). IDs of zeros are invalid. */
const traceparentPattern =
  /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Longer values need not be passed on (§3.3.1.5). */
const maxTracestateLength = 512;
const maxTracestateEntries = 32;
/** §3.3.1.3: `key=value`, in printable ASCII without commas and equals signs in the value. */
const tracestateEntry =
  /^([\da-z][\da-z_\-*/@]{0,255})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * Parses the values of `traceparent` and `tracestate`, which may be anything. Undefined without a valid `traceparent`; an
 * invalid `tracestate` is ignored (§3.3).
 */
export function parseTraceContext(
  traceparent: unknown,
  tracestate: unknown,
): TraceContext | undefined {
  if (typeof traceparent !== "string") return undefined;
  const [, version, traceId, spanId, flags, rest] = traceparentPattern.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === "00" && rest !== undefined) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, tracestate: validTracestate(tracestate) };
}

/** The value of a `traceparent` header. */
export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`;
}

function validTracestate(tracestate: unknown): string | undefined {
  if (typeof tracestate !== "string" || tracestate.length > maxTracestateLength) return undefined;
  // §3.3.1.1: entries may be empty.
  const entries = tracestate
    .split(",")
    .map((entry) => entry.replaceAll(/^[ \t]+|[ \t]+$/g, ""))
    .filter((entry) => entry !== "");
  const keys = new Set(entries.map((entry) => tracestateEntry.exec(entry)?.[1]));
  const isValid = keys.size === entries.length && !keys.has(undefined);
  return isValid && keys.size > 0 && keys.size <= maxTracestateEntries
    ? entries.join(",")
    : undefined;
}
