import { parseTarget, type Target } from "./target.ts";

/** A host that a tool declares, or with `*.` all its subdomains, with one scheme and one port. */
export type DeclaredHost = Pick<Target, "scheme" | "host" | "port"> & { isWildcard: boolean };

/** A private host that the operator allows, on one port or on any. */
export type PrivateHost = { host: string; port: number | undefined };

const WILDCARD = "*.";

/**
 * Parses `host` or `*.host` with an optional `:port` for HTTPS, and the same after `http://` for plain HTTP. Returns
 * undefined for anything else, which then allows nothing.
 */
export function parseDeclaredHost(entry: string): DeclaredHost | undefined {
  const scheme = entry.startsWith("http://") ? "http:" : "https:";
  const rest = scheme === "http:" ? entry.slice("http://".length) : entry;
  const isWildcard = rest.startsWith(WILDCARD);
  const target = parseAuthority(scheme, isWildcard ? rest.slice(WILDCARD.length) : rest);
  if (target === undefined || (isWildcard && target.isAddress)) return undefined;
  return { scheme, host: target.host, port: target.port, isWildcard };
}

/** Parses `host` or `host:port`, where the host may be an IP address. Returns undefined for anything else. */
export function parsePrivateHost(entry: string): PrivateHost | undefined {
  const target = parseAuthority("https:", entry.toLowerCase());
  if (target === undefined) return undefined;
  // URL parsing drops the default port, but here an explicit port restricts the entry to it.
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

/** What the declared hosts do not allow about a target. Undefined if they allow it. */
export function mismatchOf(
  hosts: readonly DeclaredHost[],
  target: Target,
): "host" | "scheme" | "port" | undefined {
  const named = hosts.filter((host) => isNamedBy(host, target));
  if (named.length === 0) return "host";
  const sameScheme = named.filter(({ scheme }) => scheme === target.scheme);
  if (sameScheme.length === 0) return "scheme";
  return sameScheme.some(({ port }) => port === target.port) ? undefined : "port";
}

/** Why the declared hosts do not allow a target, as the end of a sentence. Undefined if they do. */
export function undeclared(hosts: readonly DeclaredHost[], target: Target): string | undefined {
  const mismatch = mismatchOf(hosts, target);
  if (mismatch === undefined) return undefined;
  if (mismatch === "host") return "the host is not in the tool's allowedHosts";
  if (mismatch === "port") return `the tool's allowedHosts do not allow port ${target.port}`;
  const only = target.scheme === "http:" ? "HTTPS" : "plain HTTP";
  return `the tool's allowedHosts allow it only over ${only}`;
}

/** Whether entries of declared hosts allow requests to a URL. */
export function isHostDeclared(entries: readonly string[], url: string): boolean {
  const target = parseTarget(url);
  const hosts = entries.map(parseDeclaredHost).filter((host) => host !== undefined);
  return target !== undefined && undeclared(hosts, target) === undefined;
}

function isNamedBy({ host, isWildcard }: DeclaredHost, target: Target): boolean {
  if (!isWildcard) return target.host === host;
  return !target.isAddress && target.host.endsWith(`.${host}`);
}

/** The operator's entry for a target. Prefers an entry with the port over one without. */
export function findPrivateHost(
  hosts: readonly PrivateHost[],
  { host, port }: Target,
): PrivateHost | undefined {
  const named = hosts.filter((entry) => entry.host === host);
  return (
    named.find((entry) => entry.port === port) ?? named.find((entry) => entry.port === undefined)
  );
}
