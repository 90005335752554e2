/** Headers that apply to one connection and are not forwarded. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);
/** Headers between the sandbox's processes and the service. */
const OURS = "x-toolhost-";

/** The request headers to forward, as a flat list. `Host` is set separately. */
export function headersOut(raw: readonly string[]): string[] {
  return passedOn(raw, (name) => name === "host" || name === "expect");
}

/** The response headers to forward to the tool, as a flat list. */
export function headersIn(raw: readonly string[]): string[] {
  return passedOn(raw, () => false);
}

/** The values of a header, in lower case. */
export function valuesOf(raw: readonly string[], wanted: string): string[] {
  return pairsOf(raw)
    .filter(([name]) => name.toLowerCase() === wanted)
    .map(([, value]) => value.toLowerCase());
}

function passedOn(raw: readonly string[], isStopped: (name: string) => boolean): string[] {
  const named = valuesOf(raw, "connection").flatMap((value) => value.split(","));
  const ofConnection = new Set(named.map((name) => name.trim()));
  // Dropping it because `Connection` names it would make the length of the body ambiguous.
  ofConnection.delete("content-length");
  return pairsOf(raw)
    .filter(([name]) => {
      const lower = name.toLowerCase();
      const isOfHop = HOP_BY_HOP.has(lower) || ofConnection.has(lower);
      return !isOfHop && !lower.startsWith(OURS) && !isStopped(lower);
    })
    .flat();
}

/** Converts a flat list of names and values to pairs. */
export function pairsOf(raw: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i] ?? "", raw[i + 1] ?? ""]);
  return pairs;
}
