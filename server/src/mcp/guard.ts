import { isIP } from "node:net";
import type { Config } from "#config";
import { ServiceError } from "#core/kernel";

type Addresses = Pick<Config, "baseUrl" | "mcpUrl" | "MCP_ALLOWED_ORIGINS">;

/**
 * Refuses requests that a page in a browser was tricked into (DNS rebinding). A server on this machine is only
 * reached by its own names, and by pages from here. One with a public address takes pages from everywhere unless
 * the operator names some: no browser adds a token by itself, and cookies count for nothing here. Throws `forbidden`.
 */
export function checkSource(config: Addresses, headers: Headers): void {
  const isLocal = isLoopbackName(new URL(config.mcpUrl).hostname);
  const host = headers.get("host") ?? "";
  if (isLocal && !isOwnHost(config, host)) {
    throw new ServiceError(
      "forbidden",
      `This server does not answer for the host ${show(host)}. MCP_URL names the address that clients use.`,
    );
  }
  const origin = headers.get("origin");
  if (origin === null || isAllowedOrigin(config, origin, isLocal)) return;
  throw new ServiceError(
    "forbidden",
    `Pages of ${show(origin)} may not use this server. MCP_ALLOWED_ORIGINS names those that may.`,
  );
}

/** Which of the two addresses a request came to, where they are two and its host tells. */
export function endpointOf(config: Addresses, headers: Headers): "base" | "mcp" | "any" {
  const base = new URL(config.baseUrl).host;
  const mcp = new URL(config.mcpUrl).host;
  const host = headers.get("host");
  if (base === mcp || (host !== base && host !== mcp)) return "any";
  return host === mcp ? "mcp" : "base";
}

function isOwnHost({ baseUrl, mcpUrl }: Addresses, host: string): boolean {
  if ([baseUrl, mcpUrl].some((url) => new URL(url).host === host)) return true;
  return URL.canParse(`http://${host}`) && isLoopbackName(new URL(`http://${host}`).hostname);
}

function isAllowedOrigin(config: Addresses, origin: string, isLocal: boolean): boolean {
  const { baseUrl, mcpUrl, MCP_ALLOWED_ORIGINS: allowed } = config;
  const own = [baseUrl, mcpUrl].map((url) => new URL(url).origin);
  if ([...own, ...allowed].includes(origin)) return true;
  if (isLocal) return URL.canParse(origin) && isLoopbackName(new URL(origin).hostname);
  return allowed.length === 0;
}

function isLoopbackName(name: string): boolean {
  if (name === "localhost" || name === "[::1]") return true;
  return isIP(name) === 4 && name.startsWith("127.");
}

function show(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
