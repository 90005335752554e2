import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "./json.ts";
import { checkValue } from "./check-value.ts";
import { planField } from "./plan-field.ts";
import { resolveSchema } from "./resolve-schema.ts";
import { matchesPattern } from "./match-pattern.ts";

const messages = (schema: JsonObject, value: Json) =>
  checkValue(schema, schema, value).map(({ path, message }) => [path.join("/"), message]);

describe("resolveSchema", () => {
  it("follows references to definitions, escaped pointers, anchors and the root", () => {
    const root: JsonObject = {
      $defs: { "a/b~c": { type: "string" }, city: { $anchor: "city", type: "integer" } },
      type: "object",
    };
    expect(resolveSchema(root, { $ref: "#/$defs/a~1b~0c" })).toEqual({ type: "string" });
    expect(resolveSchema(root, { $ref: "#city" })).toMatchObject({ type: "integer" });
    expect(resolveSchema(root, { $ref: "#", title: "Own" })).toMatchObject({
      type: "object",
      title: "Own",
    });
  });

  it("allows everything for references that are dangling, external or circular", () => {
    const root: JsonObject = { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } };
    for (const $ref of ["#/$defs/a", "#/none/here", "https://example.com/schema", "#/%E0%A4%A"]) {
      expect(resolveSchema(root, { $ref })).toEqual({});
    }
  });

  it("merges the parts of allOf with the keywords beside it", () => {
    const schema: JsonObject = {
      allOf: [
        { properties: { a: { type: "string" } }, required: ["a"] },
        { properties: { b: { type: "number" } }, required: ["b"] },
      ],
      type: "object",
    };
    expect(resolveSchema(schema, schema)).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "number" } },
      required: ["a", "b"],
    });
  });
});

describe("planField", () => {
  const plan = (schema: Json) => planField({}, schema);

  it("names variants by what distinguishes them", () => {
    const labels = (...oneOf: Json[]) => {
      const found = plan({ oneOf });
      return found.kind === "variants" ? found.variants.map(({ label }) => label) : found.kind;
    };
    const kind = (name: string) => ({ type: "object", properties: { kind: { const: name } } });
    expect(labels(kind("email"), kind("phone"))).toEqual(["email", "phone"]);
    const fields = (name: string) => ({ type: "object", properties: { [name]: {}, more: {} } });
    expect(labels(fields("city"), fields("zip"))).toEqual(["With city, more", "With zip, more"]);
    expect(labels({ type: "string" }, fields("a"))).toEqual(["Text", "Object"]);
    expect(labels({ title: "Same" }, { title: "Same" })).toEqual(["Option 1", "Option 2"]);
  });

  it.each([
    [
      ["duplicate", "requested_by_customer"],
      ["Duplicate", "Requested by customer"],
    ],
    [
      ["eur", "usd"],
      ["eur", "usd"],
    ],
    [
      ["en_us", "DE"],
      ["en_us", "DE"],
    ],
    [
      ["a_b", 1],
      ["a_b", "1"],
    ],
  ])("shows the choices %j as %j", (values, labels) => {
    const found = plan({ enum: values });
    expect(found.kind === "choice" ? found.choices.map(({ label }) => label) : found.kind).toEqual(
      labels,
    );
  });

  it.each([
    [{ type: "string" }, { kind: "text", input: "single-line" }],
    [
      { type: "string", maxLength: 1_000 },
      { kind: "text", input: "multiline" },
    ],
    [
      { type: "string", format: "date-time" },
      { kind: "text", input: "date-time" },
    ],
    [{ type: ["integer", "null"] }, { kind: "number", isWhole: true, isNullable: true }],
    [{ anyOf: [{ type: "boolean" }, { type: "null" }] }, { kind: "boolean", isNullable: true }],
    [{ oneOf: [{ const: 1, title: "One" }, { const: 2 }] }, { kind: "choice" }],
    [{ type: ["string", "number"] }, { kind: "variants" }],
    [{ properties: { a: {} } }, { kind: "object", names: ["a"] }],
    [{ type: "array", prefixItems: [{ type: "string" }], items: false }, { kind: "list" }],
    [
      { type: "object", additionalProperties: { type: "string" } },
      { kind: "object", names: [] },
    ],
    [{ type: "object" }, { kind: "json" }],
    [{ type: "array" }, { kind: "json" }],
    [{}, { kind: "json" }],
    [true, { kind: "json" }],
  ])("plans the field of %j", (schema, expected) => {
    expect(plan(schema)).toMatchObject(expected);
  });
});

describe("checkValue", () => {
  it("returns the path of each problem and how to fix it", () => {
    const schema: JsonObject = {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "integer", multipleOf: 5 }, uniqueItems: true },
        text: { type: "string", maxLength: 2 },
        at: { type: "string", format: "date-time" },
        step: { type: "number", multipleOf: 0.1, exclusiveMaximum: 1 },
      },
      required: ["list", "name"],
      additionalProperties: false,
    };
    const value = { list: [5, 7, 5], text: "😀😀", at: "today", step: 0.3, more: 1 };
    expect(messages(schema, value)).toEqual([
      ["name", "Required."],
      ["list", "Items must be unique."],
      ["list/1", "Must be a multiple of 5."],
      ["at", "Must be a date and time, for example 2026-01-31T12:00:00Z."],
      ["more", "Unknown field."],
    ]);
  });

  it("returns the problems of the closest alternative", () => {
    const schema: JsonObject = {
      anyOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a", "b", "c"] },
        { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
      ],
    };
    expect(messages(schema, { x: "1" })).toEqual([["x", "Must be a number."]]);
  });

  it("takes bounded time for references that multiply or are circular", () => {
    const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
    const next = (index: number) => ({ $ref: `#/$defs/d${index + 1}` });
    const doubling = names.map((name, index): [string, Json] => [
      name,
      { allOf: [next(index), next(index)], anyOf: [next(index), next(index)] },
    ]);
    const root: JsonObject = { $defs: Object.fromEntries(doubling), $ref: "#/$defs/d0" };
    // Without a limit, this would take 4 to the power of 30 steps.
    expect(resolveSchema(root, root)).toBeTypeOf("object");
    expect(checkValue(root, root, { a: 1 })).toEqual([]);
    const self: JsonObject = { items: { $ref: "#" }, anyOf: [{ $ref: "#" }, { $ref: "#" }] };
    expect(checkValue(self, self, [[[[[[1]]]]]])).toEqual([]);
  });
});

describe("matchesPattern", () => {
  it("returns undefined for patterns that could take exponential time", () => {
    expect(matchesPattern("^[A-Z]{2}\\d+$", "AB12")).toBe(true);
    expect(matchesPattern("^[A-Z]{2}\\d+$", "12")).toBe(false);
    expect(matchesPattern("^[\\w.(+*]+@x$", "a.b@x")).toBe(true);
    for (const pattern of [
      "(a+)+$",
      "(a|a)*b",
      "a*a*a*a*b",
      "(a)\\1",
      "(?=a)b",
      "[",
      "x{1,9}{1,9}{1,9}{1,9}",
    ]) {
      expect([pattern, matchesPattern(pattern, "aaaa")]).toEqual([pattern, undefined]);
    }
    expect(matchesPattern("a", "a".repeat(300))).toBeUndefined();
    const doubling = `${"a?".repeat(60)}${"a".repeat(60)}`;
    expect(matchesPattern(doubling, "a".repeat(60))).toBeUndefined();
    expect(matchesPattern("a*a*a*b", "a".repeat(250))).toBeUndefined();
  });
});
