import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** The kind of a non-public address. */
export type AddressKind = "own" | "private" | "link-local" | "reserved";

const INTERFACES_AGAIN_MS = 5_000;

// Connections to the unspecified address reach this machine, too.
const LOOPBACK = blockList(["127.0.0.0/8", "0.0.0.0/32"], ["::1/128", "::/128"]);
const PRIVATE = blockList(
  ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"],
  ["fc00::/7", "fec0::/10"],
);
const LINK_LOCAL = blockList(
  // 168.63.129.16 looks public, but is Azure's WireServer, which serves a machine's secrets.
  ["169.254.0.0/16", "168.63.129.16/32"],
  ["fe80::/10"],
);
const RESERVED = blockList(
  [
    "0.0.0.0/8",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
  ],
  // Non-public parts of the public range: protocol assignments with Teredo, documentation, 6to4.
  ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
);
/** The only IPv6 range with public addresses. Mapped, translated and all other forms are outside it. */
const PUBLIC_IPV6 = blockList([], ["2000::/3"]);

function blockList(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of [...ipv4, ...ipv6]) {
    const [network = "", prefix] = range.split("/");
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

/** Undefined for a public address. Anything that is not a valid address is `reserved`. */
export function kindOfAddress(address: string): AddressKind | undefined {
  const version = isIP(address);
  if (version === 0 || address.includes("%")) return "reserved";
  const family = version === 6 ? "ipv6" : "ipv4";
  const isIn = (list: BlockList) => list.check(address, family);
  if (isIn(LOOPBACK) || isIn(ownAddresses())) return "own";
  if (isIn(PRIVATE)) return "private";
  if (isIn(LINK_LOCAL)) return "link-local";
  if (isIn(RESERVED) || (version === 6 && !isIn(PUBLIC_IPV6))) return "reserved";
  return undefined;
}

let own = { list: new BlockList(), at: -Infinity };

function ownAddresses(): BlockList {
  const now = performance.now();
  if (now - own.at < INTERFACES_AGAIN_MS) return own.list;
  const list = new BlockList();
  for (const addresses of Object.values(networkInterfaces())) {
    for (const { address, family } of addresses ?? []) {
      list.addAddress(address, family === "IPv6" ? "ipv6" : "ipv4");
    }
  }
  own = { list, at: now };
  return list;
}
