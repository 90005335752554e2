import { describe, expect, it } from "vitest";
import { subtractNeeds, hasNoNeeds, needsOf } from "./needs.ts";

type Credential = { name: string; hosts?: string[]; expose?: boolean };

const needs = (allowedHosts: string[], ...credentials: Credential[]) =>
  needsOf({
    allowedHosts,
    credentials: credentials.map(({ name, hosts = [], expose = false }) => ({
      name,
      description: "",
      hosts,
      expose,
    })),
  });

const covers = (approved: string[], wanted: string[]) =>
  hasNoNeeds(subtractNeeds(needs(wanted), needs(approved)));

describe("subtractNeeds", () => {
  it("returns only needs that are not approved", () => {
    const approved = needs(["a.com", "b.com"], { name: "KEY", hosts: ["a.com", "b.com"] });
    expect(hasNoNeeds(subtractNeeds(approved, approved))).toBe(true);
    expect(
      hasNoNeeds(subtractNeeds(needs(["a.com"], { name: "KEY", hosts: ["b.com"] }), approved)),
    ).toBe(true);
    expect(
      subtractNeeds(needs(["c.com"], { name: "KEY", hosts: ["a.com", "c.com"] }), approved),
    ).toEqual({
      credentials: [{ name: "KEY", hosts: ["c.com"], expose: false }],
      allowedHosts: ["c.com"],
    });
    expect(subtractNeeds(needs(["a.com"], { name: "OTHER", hosts: ["a.com"] }), approved)).toEqual({
      credentials: [{ name: "OTHER", hosts: ["a.com"], expose: false }],
      allowedHosts: [],
    });
  });

  it("returns expose unless it is approved", () => {
    const approved = needs([], { name: "KEY", hosts: ["a.com"] });
    const wanted = needs([], { name: "KEY", hosts: ["a.com"], expose: true });
    expect(subtractNeeds(wanted, approved).credentials).toEqual([
      { name: "KEY", hosts: [], expose: true },
    ]);
    expect(hasNoNeeds(subtractNeeds(approved, wanted))).toBe(true);
  });

  it("treats a credential without hosts as one for all its hosts", () => {
    const open = needs([], { name: "KEY" });
    const narrow = needs([], { name: "KEY", hosts: ["a.com"] });
    expect(hasNoNeeds(subtractNeeds(narrow, open))).toBe(true);
    expect(subtractNeeds(open, narrow).credentials).toEqual([
      { name: "KEY", hosts: ["*"], expose: false },
    ]);
    const twice = needs([], { name: "KEY", hosts: ["a.com"] }, { name: "KEY" });
    expect(hasNoNeeds(subtractNeeds(twice, narrow))).toBe(false);
  });

  it("returns all needs without an approval", () => {
    expect(hasNoNeeds(subtractNeeds(needs(["a.com"]), undefined))).toBe(false);
  });

  it.each([
    [["*.a.com"], ["x.a.com"], true],
    [["*.a.com"], ["x.y.a.com"], true],
    [["*.a.com"], ["*.y.a.com"], true],
    [["*.a.com"], ["*.a.com"], true],
    [["*.a.com"], ["a.com"], false],
    [["*.a.com"], ["xa.com"], false],
    [["*.a.com"], ["x.a.com.evil.com"], false],
    [["*.a.com"], ["http://x.a.com"], false],
    [["http://*.a.com"], ["x.a.com"], false],
    [["http://*.a.com"], ["http://x.a.com"], true],
    [["http://*.a.com"], ["http://x.a.com:80"], true],
    [["*.a.com"], ["x.a.com:443"], true],
    [["*.a.com"], ["x.a.com:8443"], false],
    [["*.a.com:8443"], ["x.a.com:8443"], true],
    [["*.a.com:8443"], ["x.a.com"], false],
    [["x.a.com"], ["*.a.com"], false],
    [["*.5"], ["10.0.0.5"], false],
    [["*.com"], ["[::1]"], false],
  ])("returns whether %j covers %j: %s", (approved, wanted, isCovered) => {
    expect(covers(approved, wanted)).toBe(isCovered);
  });
});
