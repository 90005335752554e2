import { roles } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { mayDo, mayManage, scopesOfRole } from "./roles.ts";

describe("the table of rights", () => {
  it.each([
    ["owner", ["mcp:read", "mcp:execute", "tools:write", "credentials:write", "audit:read"]],
    ["admin", ["mcp:read", "mcp:execute", "tools:write", "credentials:write", "audit:read"]],
    ["builder", ["mcp:read", "mcp:execute", "tools:write", "credentials:write"]],
    ["member", ["mcp:read", "mcp:execute", "credentials:write"]],
    ["viewer", ["mcp:read"]],
    ["nobody", []],
    ["constructor", []],
  ])("gives %s its scopes and no others", (role, scopes) => {
    expect([...scopesOfRole(role)].toSorted()).toEqual(scopes.toSorted());
  });

  it.each([
    ["members:list", ["owner", "admin", "builder", "member", "viewer"]],
    ["members:manage", ["owner", "admin"]],
    ["keys:oversee", ["owner", "admin"]],
    ["apps:oversee", ["owner", "admin"]],
    ["credentials:share", ["owner", "admin"]],
    ["tools:oversee", ["owner", "admin"]],
    ["workspace:rename", ["owner", "admin"]],
    ["workspace:configure", ["owner", "admin"]],
    ["workspace:transfer", ["owner"]],
    ["workspace:delete", ["owner"]],
  ] as const)("gives %s to these roles alone", (right, allowed) => {
    expect(roles.filter((role) => mayDo(role, right))).toEqual(allowed);
    expect(mayDo("none", right)).toBe(false);
    expect(mayDo("", right)).toBe(false);
  });

  it.each([
    ["owner", ["owner", "admin", "builder", "member", "viewer"]],
    ["admin", ["builder", "member", "viewer"]],
    ["builder", []],
    ["member", []],
    ["viewer", []],
  ])("lets %s manage only these", (role, managed) => {
    expect(roles.filter((other) => mayManage(role, other))).toEqual(managed);
    expect(mayManage(role, "emperor")).toBe(false);
  });
});
