import { Connections } from "./connections.ts";
import { findPrivateHost, type PrivateHost } from "./declared-hosts.ts";
import { createPublicLookup, createSystemLookup, type Lookup } from "./lookup.ts";
import { kindOfAddress, type AddressKind } from "./public-addresses.ts";
import { EgressDeniedError, UpstreamError } from "./egress-errors.ts";
import type { Target } from "./target.ts";

/** The network access that all runs share. */
export type EgressNetwork = {
  connections: Connections;
  lookup: { public: Lookup; system: Lookup };
  /** The service's own port. */
  ownPort: number | undefined;
};

export type EgressNetworkOptions = {
  /** The service's own port, which tools may reach only if a private host entry names it. */
  ownPort?: number;
  /** Replaces DNS. */
  lookup?: Lookup;
  /** Hosts, in the format of `allowedHosts`, with which HTTP/2 may be used. */
  http2Hosts?: readonly string[];
  /** Replaces the well-known certificate authorities. */
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
 * Resolves a declared target to addresses and checks each of them. Throws `EgressDeniedError` if tools may not reach
 * one of them, and `UpstreamError` if there is none.
 */
export async function resolveAddresses(
  network: EgressNetwork,
  target: Target,
  allowedPrivateHosts: readonly PrivateHost[],
): Promise<readonly string[]> {
  const entry = findPrivateHost(allowedPrivateHosts, target);
  const ask = entry === undefined ? network.lookup.public : network.lookup.system;
  const addresses = target.isAddress ? [target.host] : await resolve(ask, target);
  for (const address of addresses) checkAddress(network, target, { address, entry });
  return addresses;
}

/**
 * Checks what the text of a target shows: an IP address, or a name that public DNS does not have. Throws `EgressDeniedError`
 * if tools may not reach it.
 */
export function checkWritten(
  network: EgressNetwork,
  target: Target,
  allowedPrivateHosts: readonly PrivateHost[],
): void {
  const entry = findPrivateHost(allowedPrivateHosts, target);
  if (target.isAddress) checkAddress(network, target, { address: target.host, entry });
  else if (entry === undefined && PRIVATE_NAME.test(target.host)) {
    throw new EgressDeniedError(target.name, `it is a name of a private network. ${ADVICE}`);
  }
}

/** Names without a dot, and top-level domains that public DNS never delegates (RFC 6761, RFC 6762, RFC 8375). */
const PRIVATE_NAME = /^[^.]+$|\.(?:localhost|local|internal|intranet|private|corp|lan|home\.arpa)$/;

type Checked = { address: string; entry: PrivateHost | undefined };

function checkAddress(network: EgressNetwork, target: Target, { address, entry }: Checked): void {
  const kind = kindOfAddress(address);
  if (kind === undefined || mayLead(kind, network, target, entry)) return;
  // An entry for a link-local address would open the metadata services of clouds.
  const advice = kind === "private" || kind === "own" ? `. ${ADVICE}` : "";
  const lead = target.isAddress ? "it is" : "it resolves to";
  throw new EgressDeniedError(target.name, `${lead} ${WORDS[kind]}${advice}`);
}

const WORDS: Record<AddressKind, string> = {
  own: "an address of this machine",
  private: "a private address",
  "link-local": "a link-local address",
  reserved: "an address that is not public",
};

const ADVICE = "The operator of this service can allow the host with EGRESS_PRIVATE_HOSTS";

/** Whether an operator's entry allows an address: a name allows private addresses, an IP address only itself. */
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
  const advice = `Check its spelling. ${ADVICE} if its name is only known on a private network`;
  const message = `fetch failed: the name ${target.host} could not be resolved. ${advice}`;
  throw new UpstreamError(message, { isUnsent: true });
}
