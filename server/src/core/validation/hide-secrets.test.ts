import { describe, expect, it } from "vitest";
import type { JsonObject } from "@toolhost/contract";
import { createSecretHider } from "./hide-secrets.ts";

const secret = { type: "string", writeOnly: true };
const password = { type: "string", format: "password" };
const shown = (schema: JsonObject, input: unknown) => createSecretHider(schema)?.(input);

describe("createSecretHider", () => {
  it("returns undefined for a schema without marks", () => {
    expect(createSecretHider({ type: "object", properties: { a: { type: "string" } } })).toBe(
      undefined,
    );
  });

  it("redacts marked fields of any type, and nothing else", () => {
    const schema = {
      type: "object",
      properties: {
        user: { type: "string" },
        password,
        deep: { type: "array", items: { type: "object", properties: { secret } } },
        pair: { type: "array", prefixItems: [{}, password], items: { type: "string" } },
        all: { type: "object", writeOnly: true },
      },
    };
    expect(
      shown(schema, {
        user: "ada",
        password: "p",
        deep: [{ secret: "s", other: 1 }, { secret: ["s"] }],
        pair: ["shown", "p", "shown"],
        all: { a: 1 },
        unknown: "shown",
      }),
    ).toEqual({
      user: "ada",
      password: "[redacted]",
      deep: [{ secret: "[redacted]", other: 1 }, { secret: "[redacted]" }],
      pair: ["shown", "[redacted]", "shown"],
      all: "[redacted]",
      unknown: "shown",
    });
  });

  it.each<[string, JsonObject]>([
    ["a reference", { properties: { key: { $ref: "#/$defs/key" } }, $defs: { key: secret } }],
    [
      "a name with a slash",
      { properties: { key: { $ref: "#/$defs/a~1b%20c" } }, $defs: { "a/b c": secret } },
    ],
    [
      "an anchor",
      { properties: { key: { $ref: "#k" } }, $defs: { k: { $anchor: "k", ...secret } } },
    ],
    ["an unresolvable reference", { properties: { key: { $ref: "https://x/y" }, b: secret } }],
    ["an alternative", { properties: { key: { anyOf: [{ type: "number" }, secret] } } }],
    ["a condition", { if: { properties: { key: secret } } }],
    ["a pattern", { patternProperties: { "^k": secret } }],
    ["all other properties", { additionalProperties: secret }],
    ["what depends on another", { dependentSchemas: { a: { properties: { key: secret } } } }],
    ["all parts", { allOf: [{ properties: { key: {} } }, { properties: { key: password } }] }],
  ])("redacts values marked in %s", (_, schema) => {
    expect(shown(schema, { key: "s3cr3t" })).toEqual({ key: "[redacted]" });
  });

  it("keeps a property whose name does not match a pattern", () => {
    expect(shown({ patternProperties: { "^k": secret } }, { other: 1 })).toEqual({ other: 1 });
  });

  it("terminates for circular references and backtracking patterns", () => {
    const circle = {
      properties: { next: { $ref: "#" }, key: secret },
      allOf: [{ $ref: "#" }],
    };
    expect(shown(circle, { next: { next: { key: "s" } } })).toEqual({
      next: { next: { key: "[redacted]" } },
    });
    const slow = { properties: { key: secret }, patternProperties: { "^(a+)+$": {} } };
    expect(shown(slow, { ["a".repeat(40) + "b"]: "s3cr3t" })).toEqual({
      ["a".repeat(40) + "b"]: "s3cr3t",
    });
  });

  it("redacts the whole input if it is marked", () => {
    expect(shown({ type: "object", writeOnly: true }, { a: 1 })).toEqual({});
  });
});
