/** Headers that speak of one connection, and end where it ends. */
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
/** What the sandbox's processes and we say to each other. */
const OURS = "x-toolhost-";

/** Names and values that pass on to the outside, in a flat list: `Host` is ours to set. */
export function headersOut(raw: readonly string[]): string[] {
  return passedOn(raw, (name) => name === "host" || name === "expect");
}

/** Names and values of an answer that pass on to the tool. */
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
  // Without it, or with two that differ, the length of the body would be open to doubt.
  ofConnection.delete("content-length");
  return pairsOf(raw)
    .filter(([name]) => {
      const lower = name.toLowerCase();
      const isOfHop = HOP_BY_HOP.has(lower) || ofConnection.has(lower);
      return !isOfHop && !lower.startsWith(OURS) && !isStopped(lower);
    })
    .flat();
}

/** A flat list as pairs. */
export function pairsOf(raw: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i] ?? "", raw[i + 1] ?? ""]);
  return pairs;
}
