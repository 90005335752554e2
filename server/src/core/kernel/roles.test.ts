import { describe, expect, it } from "vitest";
import { scopesOfRole } from "./roles.ts";

describe("scopesOfRole", () => {
  it.each([
    ["owner", ["mcp:read", "mcp:execute", "tools:write", "credentials:write", "audit:read"]],
    ["admin", ["mcp:read", "mcp:execute", "tools:write", "credentials:write", "audit:read"]],
    ["builder", ["mcp:read", "mcp:execute", "tools:write", "credentials:write"]],
    ["member", ["mcp:read", "mcp:execute", "credentials:write"]],
    ["viewer", ["mcp:read"]],
    ["unknown", []],
    ["constructor", []],
  ])("gives %s its scopes and no others", (role, scopes) => {
    expect([...scopesOfRole(role)].toSorted()).toEqual(scopes.toSorted());
  });
});
