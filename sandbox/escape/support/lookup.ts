import type { Lookup } from "../../src/egress/lookup.ts";

const ADDRESSES: Readonly<Record<string, string[]>> = {
  "private.example": ["10.0.0.5"],
  "mixed.example": ["1.1.1.1", "192.168.1.1"],
  "metadata.example": ["169.254.169.254"],
  "self.example": ["127.0.0.1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "translated.example": ["64:ff9b::7f00:1"],
  "garbage.example": ["127.0.0.1\u0000.1.1.1.1"],
};

/** An attacker's DNS: names that resolve to internal addresses, and one that is rebound after the first lookup. */
export function hostileLookup(): Lookup {
  const asked = new Map<string, number>();
  return async (host) => {
    const times = (asked.get(host) ?? 0) + 1;
    asked.set(host, times);
    if (host.endsWith("rebind.example")) return times === 1 ? ["127.0.0.1"] : ["169.254.169.254"];
    const addresses = ADDRESSES[host];
    if (addresses === undefined) throw new Error("The name does not exist");
    return addresses;
  };
}
