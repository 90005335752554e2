import { describe, expect, it } from "vitest";
import { checkSource, endpointOf } from "./guard.ts";

const local = {
  baseUrl: "http://localhost:3000",
  mcpUrl: "http://localhost:3000",
  MCP_ALLOWED_ORIGINS: [] as string[],
};
const open = { ...local, baseUrl: "https://tools.example.com", mcpUrl: "https://mcp.example.com" };
const isLetIn = (config: typeof local, headers: Record<string, string>) => {
  try {
    checkSource(config, new Headers(headers));
    return true;
  } catch {
    return false;
  }
};

describe("where requests may come from", () => {
  it("is this machine for a local server, by any of its names", () => {
    for (const host of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "localhost"]) {
      expect([host, isLetIn(local, { host })]).toEqual([host, true]);
    }
    for (const host of [
      "",
      "evil.example",
      "localhost.evil.example",
      "evil.example:3000",
      "10.0.0.1",
    ]) {
      expect([host, isLetIn(local, { host })]).toEqual([host, false]);
    }
  });

  it("is a page of this machine for a local server, or one that is named", () => {
    const host = "localhost:3000";
    expect(isLetIn(local, { host, origin: "http://localhost:6274" })).toBe(true);
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
      expect([origin, isLetIn(local, { host, origin })]).toEqual([origin, false]);
    }
    const named = { ...local, MCP_ALLOWED_ORIGINS: ["https://app.example.com"] };
    expect(isLetIn(named, { host, origin: "https://app.example.com" })).toBe(true);
  });

  it("is any page for a public server, unless some are named", () => {
    const origin = "https://anywhere.example";
    expect(isLetIn(open, { host: "mcp.example.com", origin })).toBe(true);
    const named = { ...open, MCP_ALLOWED_ORIGINS: ["https://app.example.com"] };
    expect(isLetIn(named, { host: "mcp.example.com", origin })).toBe(false);
    expect(isLetIn(named, { host: "mcp.example.com", origin: open.baseUrl })).toBe(true);
  });
});

describe("the two addresses", () => {
  it("are told apart by the host, where they are two", () => {
    const at = (host: string) => endpointOf(open, new Headers({ host }));
    expect([at("tools.example.com"), at("mcp.example.com"), at("10.0.0.5")]).toEqual([
      "base",
      "mcp",
      "any",
    ]);
    expect(endpointOf(local, new Headers({ host: "localhost:3000" }))).toBe("any");
  });
});
