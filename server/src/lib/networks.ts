import { BlockList, isIP } from "node:net";

/** Whether a text is an IP address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** Returns whether an address is in one of the networks. Text that is not an address is in none. */
export function createNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const bare = unmapped(address);
    const family = isIP(bare);
    return family !== 0 && list.check(bare, family === 6 ? "ipv6" : "ipv4");
  };
}

/** Converts IPv4-mapped IPv6 addresses, which sockets report, to IPv4. */
function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** More than any chain of proxies has. */
const maxHops = 20;

/**
 * The client's address behind trusted proxies: the last entry of X-Forwarded-For that is not a trusted proxy. Without a
 * trusted peer it is the peer itself. Entries before an invalid one are ignored.
 */
export function clientAddress(
  peer: string | null,
  forwardedFor: string | null,
  isTrusted: (address: string) => boolean,
): string | null {
  if (peer === null || forwardedFor === null || !isTrusted(peer)) return peer;
  let client = peer;
  for (const entry of forwardedFor.split(",").toReversed().slice(0, maxHops)) {
    const address = withoutPort(entry.trim());
    if (isIP(address) === 0) break;
    client = address;
    if (!isTrusted(address)) break;
  }
  return client;
}

/** Some proxies include the port: `192.0.2.1:1234`, `[2001:db8::1]:1234`. */
function withoutPort(entry: string): string {
  return (
    /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ??
    /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ??
    entry
  );
}
