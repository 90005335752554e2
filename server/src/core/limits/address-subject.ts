import { isIPv6 } from "node:net";

/**
 * The subject for limits by address: an IPv4 address, or the first 64 bits of an IPv6 address, for one
 * customer of a provider has at least all that follow.
 */
export function addressSubject(address: string | null): string {
  if (address === null) return "unknown";
  const [bare = ""] = address.split("%");
  if (!isIPv6(bare)) return bare;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  // The URL parser writes the address in its one canonical form, without dots and leading zeros.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = Array.from({ length: 8 - front.length - back.length }, () => "0");
  return `${[...front, ...gap, ...back].slice(0, 4).join(":")}::/64`;
}
