import { isIP } from "node:net";

/** The target of a request, normalized. */
export type Target = {
  scheme: "http:" | "https:";
  /** A lowercase ASCII name without a trailing dot, or an IP address without brackets. */
  host: string;
  port: number;
  isAddress: boolean;
  /** Path and query. */
  path: string;
  /** The host for display, with its port unless it is the scheme's default. */
  name: string;
};

const MAX_NAME = 253;
const NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
const PORTS = { "http:": 80, "https:": 443 };

/**
 * Parses a full URL like browsers do, so that every notation of an IP address or a name has the same result. Returns
 * undefined for anything but an HTTP or HTTPS URL, and for URLs with user info.
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

/** A host as written in a URL. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
