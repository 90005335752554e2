import { isIP } from "node:net";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";

type SourceConfig = Pick<Config, "baseUrl" | "mcpUrl" | "MCP_ALLOWED_ORIGINS">;

/**
 * Rejects requests from untrusted web pages (DNS rebinding). A server on a loopback address accepts only its own host names,
 * and pages from this machine. A public server accepts pages from any origin unless `MCP_ALLOWED_ORIGINS` is set: requests
 * need a token, which browsers never add automatically, and cookies are ignored. Throws `forbidden`.
 */
export function checkSource(config: SourceConfig, headers: Headers): void {
  const isLocal = isLoopbackName(parsedUrl(config.mcpUrl).hostname);
  const host = headers.get("host") ?? "";
  if (isLocal && !isOwnHost(config, host)) {
    throw new ServiceError(
      "forbidden",
      `The host ${quote(host)} is not allowed. Set MCP_URL to the URL that clients use.`,
    );
  }
  const origin = headers.get("origin");
  if (origin === null || isAllowedOrigin(config, origin, isLocal)) return;
  throw new ServiceError(
    "forbidden",
    `The origin ${quote(origin)} is not allowed. Add it to MCP_ALLOWED_ORIGINS.`,
  );
}

/** Which of the two URLs a request was sent to, by its host; "any" if both have the same host or the host is another. */
export function endpointOf(config: SourceConfig, headers: Headers): "base" | "mcp" | "any" {
  const base = parsedUrl(config.baseUrl).host;
  const mcp = parsedUrl(config.mcpUrl).host;
  const host = headers.get("host");
  if (base === mcp || (host !== base && host !== mcp)) return "any";
  return host === mcp ? "mcp" : "base";
}

/** The configured URLs, which are parsed once, because each request is checked against them. */
const parsedUrls = new Map<string, URL>();

function parsedUrl(configured: string): URL {
  let url = parsedUrls.get(configured);
  if (url === undefined) parsedUrls.set(configured, (url = new URL(configured)));
  return url;
}

function isOwnHost({ baseUrl, mcpUrl }: SourceConfig, host: string): boolean {
  if ([baseUrl, mcpUrl].some((url) => parsedUrl(url).host === host)) return true;
  return URL.canParse(`http://${host}`) && isLoopbackName(new URL(`http://${host}`).hostname);
}

function isAllowedOrigin(config: SourceConfig, origin: string, isLocal: boolean): boolean {
  const { baseUrl, mcpUrl, MCP_ALLOWED_ORIGINS: allowed } = config;
  const own = [baseUrl, mcpUrl].map((url) => parsedUrl(url).origin);
  if ([...own, ...allowed].includes(origin)) return true;
  if (isLocal) return URL.canParse(origin) && isLoopbackName(new URL(origin).hostname);
  return allowed.length === 0;
}

function isLoopbackName(name: string): boolean {
  if (name === "localhost" || name === "[::1]") return true;
  return isIP(name) === 4 && name.startsWith("127.");
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
