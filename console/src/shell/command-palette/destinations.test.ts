import { expect, test } from "vitest";
import { findDestinations } from "./destinations.ts";

const labels = (text: string, scopes: Parameters<typeof findDestinations>[1]) =>
  findDestinations(text, scopes).map(({ label }) => label);

test("finds pages by their name first, and by other words for them", () => {
  expect(labels("in", ["mcp:read"]).at(0)).toBe("Install");
  expect(labels("invite", ["mcp:read"])).toEqual(["Members"]);
  expect(labels(" TOKEN ", [])).toEqual(["API keys"]);
  expect(labels("nothing like it", [])).toEqual([]);
});

test("does not offer what the person may not use", () => {
  expect(labels("", ["mcp:read"])).not.toContain("Audit");
  expect(labels("", ["mcp:read"])).not.toContain("New tool");
  expect(labels("", ["audit:read", "tools:write"])).toContain("Audit");
});
