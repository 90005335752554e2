import { describe, expect, it } from "vitest";
import { canReach, isLocalAddress } from "./reachable.ts";

describe("isLocalAddress", () => {
  it.each([
    ["http://localhost:3000/mcp", true],
    ["http://127.0.0.1/mcp", true],
    ["http://[::1]:3000/mcp", true],
    ["http://172.20.0.4/mcp", true],
    ["https://tools.local/mcp", true],
    ["https://tools.example.com/mcp", false],
    ["https://172.32.0.1/mcp", false],
    ["https://localhost.example.com/mcp", false],
  ])("classifies %s", (url, isLocal) => {
    expect(isLocalAddress(url)).toBe(isLocal);
  });
});

describe("canReach", () => {
  it("excludes only clients in the cloud from local addresses", () => {
    expect(canReach("chatgpt", "http://localhost/mcp")).toBe(false);
    expect(canReach("chatgpt", "https://tools.example.com/mcp")).toBe(true);
    expect(canReach("claude-code", "http://localhost/mcp")).toBe(true);
  });
});
