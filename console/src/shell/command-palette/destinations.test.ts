import { describe, expect, it } from "vitest";
import { findDestinations } from "./destinations.ts";

const labels = (text: string, scopes: Parameters<typeof findDestinations>[1]) =>
  findDestinations(text, scopes).map(({ label }) => label);

describe("findDestinations", () => {
  it("finds pages by label first, then by keyword", () => {
    expect(labels("log", ["mcp:read", "audit:read"])).toEqual(["Catalog", "Audit log", "Runs"]);
    expect(labels("client", ["mcp:read"])).toEqual(["Connect agents"]);
    expect(labels("invite", ["mcp:read"])).toEqual(["Members"]);
    expect(labels(" TOKEN ", [])).toEqual(["API keys"]);
    expect(labels("nothing like it", [])).toEqual([]);
  });

  it("leaves out pages that the scopes do not allow", () => {
    expect(labels("", ["mcp:read"])).not.toContain("Audit log");
    expect(labels("", ["mcp:read"])).not.toContain("Create tool");
    expect(labels("", ["audit:read", "tools:write"])).toContain("Audit log");
  });
});
