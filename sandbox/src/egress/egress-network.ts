import { Connections } from "./connections.ts";
import { findPrivateHost, type PrivateHost } from "./declared-hosts.ts";
import { createPublicLookup, createSystemLookup, type Lookup } from "./lookup.ts";
import { kindOfAddress, type AddressKind } from "./public-addresses.ts";
import { EgressDeniedError, UpstreamError } from "./egress-errors.ts";
import type { Target } from "./target.ts";

/** What all runs share on their way out. */
export type EgressNetwork = {
  connections: Connections;
  lookup: { public: Lookup; system: Lookup };
  /** The port that the service itself listens on. */
  ownPort: number | undefined;
};

export type EgressNetworkOptions = {
  /** The port that the service itself listens on: closed to tools unless a private host names it. */
  ownPort?: number;
  /** Stands in for DNS. */
  lookup?: Lookup;
  /** Hosts, as a tool declares them, that are trusted with HTTP/2 where they offer it. */
  http2Hosts?: readonly string[];
  /** Certificate authorities in the place of the well-known ones. */
  ca?: readonly string[];
};

export function createEgressNetwork({
  ownPort,
  lookup,
  ca,
  http2Hosts,
}: EgressNetworkOptions = {}): EgressNetwork {
  return {
    connections: new Connections(ca, http2Hosts),
    lookup: {
      public: lookup ?? createPublicLookup(),
      system: lookup ?? createSystemLookup(),
    },
    ownPort,
  };
}

/**
 * The addresses that a declared target may be connected at, each of them checked. Throws `EgressDeniedError`
 * when one is not for tools, and `UpstreamError` when there is none.
 */
export async function resolveAddresses(
  network: EgressNetwork,
  target: Target,
  allowedPrivateHosts: readonly PrivateHost[],
): Promise<readonly string[]> {
  const entry = findPrivateHost(allowedPrivateHosts, target);
  const ask = entry === undefined ? network.lookup.public : network.lookup.system;
  const addresses = target.isAddress ? [target.host] : await resolve(ask, target);
  const lead = target.isAddress ? "it is" : "it leads to";
  for (const address of addresses) {
    const kind = kindOfAddress(address);
    if (kind === undefined || mayLead(kind, network, target, entry)) continue;
    throw new EgressDeniedError(target.name, `${lead} ${WORDS[kind]}`);
  }
  return addresses;
}

const WORDS: Record<AddressKind, string> = {
  own: "an address of this machine",
  private: "a private address",
  "link-local": "a link-local address",
  reserved: "an address that is not public",
};

/** What an operator's entry opens: by its name private places, by its address that very one. */
function mayLead(
  kind: AddressKind,
  { ownPort }: EgressNetwork,
  { port, isAddress }: Target,
  entry: PrivateHost | undefined,
): boolean {
  if (entry === undefined) return false;
  if (kind === "own") return port !== ownPort || entry.port === port;
  return isAddress || kind === "private";
}

async function resolve(ask: Lookup, target: Target): Promise<readonly string[]> {
  let addresses: readonly string[] = [];
  try {
    addresses = await ask(target.host);
  } catch {}
  if (addresses.length > 0) return addresses;
  throw new UpstreamError(`fetch failed: the name ${target.host} could not be resolved`);
}
