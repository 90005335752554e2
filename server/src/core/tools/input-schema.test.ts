import type { JsonObject } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { checkInputSchema, compileInputSchema } from "./input-schema.ts";

const person = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    age: { type: "integer" },
    "a/b": { type: "object", required: ["~"], properties: { "~": { type: "null" } } },
  },
  required: ["name", "age"],
  additionalProperties: false,
};

describe("a schema that is checked", () => {
  it("is right", () => {
    expect(checkInputSchema(person)).toEqual([]);
    expect(
      checkInputSchema({ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" }),
    ).toEqual([]);
  });

  it("is refused with line and column where a keyword has a wrong value", () => {
    const errors = checkInputSchema({
      type: "object",
      properties: { first: { type: "string" }, second: { type: "strin" } },
    });
    expect(errors[0]).toMatchObject({
      path: "/inputSchema/properties/second/type",
      file: "inputSchema.json",
      line: 8,
      column: 7,
    });
  });

  it.each<[string, JsonObject]>([
    ["another dialect", { $schema: "http://json-schema.org/draft-07/schema#", type: "object" }],
    ["no object", { type: "array" }],
    ["no type", {}],
    ["a reference to nowhere", { type: "object", properties: { a: { $ref: "#/$defs/none" } } }],
    ["a reference to another server", { type: "object", $ref: "https://example.com/schema.json" }],
    ["a broken pattern", { type: "object", properties: { a: { pattern: "(" } } }],
    ["a negative length", { type: "object", properties: { a: { minLength: -1 } } }],
  ])("is refused with %s", (_, schema) => {
    const [error] = checkInputSchema(schema);
    expect(error).toMatchObject({ file: "inputSchema.json" });
    expect(error?.line).toBeGreaterThan(0);
    expect(error?.message).not.toBe("");
  });
});

describe("an input that is validated", () => {
  it("passes when right", () => {
    expect(compileInputSchema(person)({ name: "Ada", age: 36 }, 30)).toEqual([]);
  });

  it("is told everything that is wrong, with JSON pointers", () => {
    const errors = compileInputSchema(person)({ name: "", extra: 1, "a/b": {} }, 30);
    expect(errors.map(({ path }) => path).toSorted()).toEqual([
      "/age",
      "/a~1b/~0",
      "/extra",
      "/name",
    ]);
  });

  it("must be an object", () => {
    for (const input of [null, [], "text", 1]) {
      expect(compileInputSchema({ type: "object" })(input, 4)).toHaveLength(1);
    }
  });

  it("does not let one schema's $id reach another", () => {
    const named = {
      $id: "https://example.com/a",
      type: "object",
      properties: { a: { type: "string" } },
    };
    expect(compileInputSchema(named)({ a: "x" }, 9)).toEqual([]);
    expect(compileInputSchema({ ...named, properties: {} })({ a: 1 }, 9)).toEqual([]);
  });

  it("stops a catastrophic pattern", () => {
    const schema = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    const errors = compileInputSchema(schema)({ a: `${"a".repeat(60)}b` }, 70);
    expect(errors[0]?.message).toMatch(/too intricate/);
  });

  it("stops references that multiply", () => {
    const levels = Array.from({ length: 40 }, (_, index) => {
      const next = { $ref: `#/$defs/l${index + 1}` };
      return [`l${index}`, { allOf: [next, next] }];
    });
    const schema = {
      type: "object",
      $ref: "#/$defs/l0",
      $defs: { ...Object.fromEntries(levels), l40: { type: "object" } },
    };
    expect(checkInputSchema(schema).length + compileIfPossible(schema)).toBeGreaterThan(0);
  });

  it("stops many items that must differ", () => {
    const schema = { type: "object", properties: { a: { type: "array", uniqueItems: true } } };
    const items = Array.from({ length: 60_000 }, (_, index) => ({ index }));
    const errors = compileInputSchema(schema)({ a: items }, 900_000);
    expect(errors[0]?.message).toMatch(/too intricate/);
  });

  it("tells only the first error of a large input", () => {
    const schema = { type: "object", properties: { a: { items: { type: "string" } } } };
    const validate = compileInputSchema(schema);
    const input = { a: Array.from({ length: 200 }, () => 1) };
    expect(validate(input, 1_000)).toHaveLength(100);
    expect(validate(input, 500_000)).toHaveLength(1);
  });
});

function compileIfPossible(schema: JsonObject): number {
  try {
    return compileInputSchema(schema)({}, 2).length;
  } catch {
    return 1;
  }
}
