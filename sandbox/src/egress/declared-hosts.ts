import { parseTarget, type Target } from "./target.ts";

/** A host that a tool declares: one, or with `*.` all below it, by one scheme and at one port. */
export type DeclaredHost = Pick<Target, "scheme" | "host" | "port"> & { isWildcard: boolean };

/** A private host that the operator opens, at one port or at any. */
export type PrivateHost = { host: string; port: number | undefined };

const WILDCARD = "*.";

/**
 * Reads `host`, `*.host`, each with an optional `:port`, for https, or the same after `http://` for plain
 * http. Undefined for anything else, which then allows nothing.
 */
export function parseDeclaredHost(entry: string): DeclaredHost | undefined {
  const scheme = entry.startsWith("http://") ? "http:" : "https:";
  const rest = scheme === "http:" ? entry.slice("http://".length) : entry;
  const isWildcard = rest.startsWith(WILDCARD);
  const target = parseAuthority(scheme, isWildcard ? rest.slice(WILDCARD.length) : rest);
  if (target === undefined || (isWildcard && target.isAddress)) return undefined;
  return { scheme, host: target.host, port: target.port, isWildcard };
}

/** Reads `host`, `host:port` or the same with an IP address. Undefined for anything else. */
export function parsePrivateHost(entry: string): PrivateHost | undefined {
  const target = parseAuthority("https:", entry.toLowerCase());
  if (target === undefined) return undefined;
  // Written or not, a scheme's own port reads the same; here it says which one is meant.
  const written = /:(\d{1,5})$/.exec(entry)?.[1];
  const isBare = written === undefined || entry.endsWith("]") || isBareIPv6(entry);
  return { host: target.host, port: isBare ? undefined : Number(written) };
}

function isBareIPv6(entry: string): boolean {
  return !entry.startsWith("[") && entry.split(":").length > 2;
}

function parseAuthority(scheme: Target["scheme"], authority: string): Target | undefined {
  if (/[/?#\\@\s*]/.test(authority)) return undefined;
  const isBare = isBareIPv6(authority);
  return parseTarget(`${scheme}//${isBare ? `[${authority}]` : authority}/`);
}

/** Why the declared hosts do not lead to a target, in words that end a sentence; undefined when they do. */
export function undeclared(hosts: readonly DeclaredHost[], target: Target): string | undefined {
  const named = hosts.filter((host) => isNamedBy(host, target));
  if (named.length === 0) return "it is not among the allowedHosts of the tool";
  const sameScheme = named.filter(({ scheme }) => scheme === target.scheme);
  if (sameScheme.length === 0) {
    return target.scheme === "http:"
      ? "the tool does not declare it for plain http"
      : "the tool declares it for plain http alone";
  }
  if (sameScheme.some(({ port }) => port === target.port)) return undefined;
  return `the tool does not declare its port ${target.port}`;
}

function isNamedBy({ host, isWildcard }: DeclaredHost, target: Target): boolean {
  if (!isWildcard) return target.host === host;
  return !target.isAddress && target.host.endsWith(`.${host}`);
}

/** The operator's entry for a target, the one with a port before the one without. */
export function findPrivateHost(
  hosts: readonly PrivateHost[],
  { host, port }: Target,
): PrivateHost | undefined {
  const named = hosts.filter((entry) => entry.host === host);
  return (
    named.find((entry) => entry.port === port) ?? named.find((entry) => entry.port === undefined)
  );
}
