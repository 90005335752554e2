import { describe, expect, it } from "vitest";
import { mayDo, mayManage, roles } from "./roles.ts";

describe("mayDo", () => {
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
  ] as const)("grants %s to %s only", (right, allowed) => {
    expect(roles.filter((role) => mayDo(role, right))).toEqual(allowed);
    expect(mayDo("none", right)).toBe(false);
    expect(mayDo("", right)).toBe(false);
  });
});

describe("mayManage", () => {
  it.each([
    ["owner", ["owner", "admin", "builder", "member", "viewer"]],
    ["admin", ["builder", "member", "viewer"]],
    ["builder", []],
    ["member", []],
    ["viewer", []],
  ])("lets %s manage %s only", (role, managed) => {
    expect(roles.filter((other) => mayManage(role, other))).toEqual(managed);
    expect(mayManage(role, "emperor")).toBe(false);
  });

  it("lets an unknown role manage no one", () => {
    expect(roles.filter((other) => mayManage("unknown", other))).toEqual([]);
  });
});
