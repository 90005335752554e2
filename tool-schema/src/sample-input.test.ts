import { describe, expect, it } from "vitest";
import type { JsonObject } from "./json.ts";
import { sampleInput as sampleInputOf } from "./sample-input.ts";

const sampleInput = (inputSchema: JsonObject, fileFields: string[] = []) =>
  sampleInputOf({ inputSchema, fileFields, examples: [] });

const sampleOf = (property: object, more: object = {}) =>
  sampleInput({ type: "object", properties: { one: { ...property } }, required: ["one"], ...more })[
    "one"
  ];

describe("sampleInput", () => {
  it.each([
    [{ type: "string" }, "text"],
    [{ type: "string", minLength: 12 }, "text text te"],
    [{ type: "string", maxLength: 2 }, "te"],
    [{ type: "string", format: "email" }, "ada@example.com"],
    [{ type: "string", format: "date-time" }, "2026-01-31T12:00:00Z"],
    [{ type: "string", examples: ["Rome"] }, "Rome"],
    [{ type: "integer", exclusiveMinimum: 4 }, 5],
    [{ type: "number", minimum: 0.2, multipleOf: 0.5 }, 0.5],
    [{ type: "integer", maximum: -3 }, -3],
    [{ type: ["null", "boolean"] }, true],
    [{ enum: ["S", "M"] }, "S"],
    [{ type: "array", items: { type: "number" } }, []],
    [{ type: "array", items: { type: "number" }, minItems: 2 }, [1, 1]],
    [{ type: "array", prefixItems: [{ type: "number" }, { const: "x" }], items: false }, [1, "x"]],
    [{ anyOf: [{ type: "null" }, { type: "integer" }] }, 1],
    [{ default: { a: 1 } }, { a: 1 }],
    [{ allOf: [{ properties: { a: { type: "string" } } }, { required: ["a"] }] }, { a: "text" }],
  ])("samples %j as %j", (schema, sample) => {
    expect(sampleOf(schema)).toEqual(sample);
  });

  it("follows references and takes the first alternative", () => {
    const $defs = {
      place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    };
    expect(sampleOf({ $ref: "#/$defs/place" }, { $defs })).toEqual({ city: "text" });
    const kind = { properties: { kind: { const: "email" } }, required: ["kind"] };
    expect(sampleOf({ oneOf: [{ type: "object", ...kind }, { type: "string" }] })).toEqual({
      kind: "email",
    });
  });

  it("puts a placeholder in file fields", () => {
    const list = { type: "array", items: { type: "string" } };
    const schema = {
      properties: { scan: { type: "string" }, more: list, other: { type: "string" } },
      required: ["scan", "more"],
    };
    expect(sampleInput(schema, ["scan", "more", "other"])).toEqual({
      scan: "FILE_ID",
      more: ["FILE_ID"],
    });
  });

  it("accepts recursive and malformed schemas", () => {
    const self = { properties: { next: { $ref: "#" } }, required: ["next"] };
    expect(() => sampleInput(self)).not.toThrow();
    const doubled = { allOf: Array.from({ length: 40 }, () => ({ $ref: "#" })) };
    expect(sampleInput(doubled)).toEqual({});
    expect(sampleInput({ required: 3, properties: [] })).toEqual({});
    expect(sampleInput({ required: ["__proto__", "gone"] })).toHaveProperty("gone");
  });
});
