import { describe, expect, it } from "vitest";
import { checkSource, endpointOf } from "./check-source.ts";

const local = {
  baseUrl: "http://localhost:3000",
  mcpUrl: "http://localhost:3000",
  MCP_ALLOWED_ORIGINS: [] as string[],
};
const open = { ...local, baseUrl: "https://tools.example.com", mcpUrl: "https://mcp.example.com" };
const isAllowed = (config: typeof local, headers: Record<string, string>) => {
  try {
    checkSource(config, new Headers(headers));
    return true;
  } catch {
    return false;
  }
};

describe("checkSource", () => {
  it("accepts only loopback host names on a local server", () => {
    for (const host of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "localhost"]) {
      expect([host, isAllowed(local, { host })]).toEqual([host, true]);
    }
    for (const host of [
      "",
      "evil.example",
      "localhost.evil.example",
      "evil.example:3000",
      "10.0.0.1",
    ]) {
      expect([host, isAllowed(local, { host })]).toEqual([host, false]);
    }
  });

  it("accepts pages from this machine and allowed origins on a local server", () => {
    const host = "localhost:3000";
    expect(isAllowed(local, { host, origin: "http://localhost:6274" })).toBe(true);
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
      expect([origin, isAllowed(local, { host, origin })]).toEqual([origin, false]);
    }
    const configured = { ...local, MCP_ALLOWED_ORIGINS: ["https://app.example.com"] };
    expect(isAllowed(configured, { host, origin: "https://app.example.com" })).toBe(true);
  });

  it("accepts any page on a public server unless origins are configured", () => {
    const origin = "https://anywhere.example";
    expect(isAllowed(open, { host: "mcp.example.com", origin })).toBe(true);
    const configured = { ...open, MCP_ALLOWED_ORIGINS: ["https://app.example.com"] };
    expect(isAllowed(configured, { host: "mcp.example.com", origin })).toBe(false);
    expect(isAllowed(configured, { host: "mcp.example.com", origin: open.baseUrl })).toBe(true);
  });
});

describe("endpointOf", () => {
  it("returns the URL that the host belongs to, or any if both have the same host", () => {
    const at = (host: string) => endpointOf(open, new Headers({ host }));
    expect([at("tools.example.com"), at("mcp.example.com"), at("10.0.0.5")]).toEqual([
      "base",
      "mcp",
      "any",
    ]);
    expect(endpointOf(local, new Headers({ host: "localhost:3000" }))).toBe("any");
  });
});
