import { isIP } from "node:net";

/** Where a request goes, in one form whatever way the tool wrote it. */
export type Target = {
  scheme: "http:" | "https:";
  /** A lower-case ASCII name without a last dot, or an IP address without brackets. */
  host: string;
  port: number;
  isAddress: boolean;
  /** Path and query. */
  path: string;
  /** The host as people read it, with the port where it is not the scheme's own. */
  name: string;
};

const MAX_NAME = 253;
const NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
const PORTS = { "http:": 80, "https:": 443 };

/**
 * Reads a full address as browsers do, so that every spelling of an IP address and of a name comes out
 * the same. Undefined for what is no http address, or names a user.
 */
export function parseTarget(text: string): Target | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { protocol: scheme } = url;
  if ((scheme !== "http:" && scheme !== "https:") || url.username !== "" || url.password !== "")
    return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isAddress = isIP(host) !== 0;
  if (!isAddress && (host.length > MAX_NAME || !NAME.test(host))) return undefined;
  const port = url.port === "" ? PORTS[scheme] : Number(url.port);
  const name = url.port === "" ? bracketed(host) : `${bracketed(host)}:${port}`;
  return { scheme, host, port, isAddress, path: `${url.pathname}${url.search}`, name };
}

/** A host as it stands in an address. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
