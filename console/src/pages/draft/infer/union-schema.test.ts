import { describe, expect, test } from "vitest";
import { toOutputSchema } from "./output-schema.ts";
import { unionSchema } from "./union-schema.ts";

describe("unionSchema", () => {
  test("returns an enum for constants", () => {
    const branches = ["a", "b"].map((value) => ({ type: "string", const: value }));
    expect(unionSchema(branches)).toEqual({ type: "string", enum: ["a", "b"] });
  });

  test("returns the type for both booleans", () => {
    const branches = [true, false].map((value) => ({ type: "boolean", const: value }));
    expect(unionSchema(branches)).toEqual({ type: "boolean" });
  });

  test("adds null to a single type", () => {
    expect(unionSchema([{ type: "string" }, { type: "null" }])).toEqual({
      type: ["string", "null"],
    });
    expect(unionSchema([{ type: "string", const: "a" }, { type: "null" }])).toEqual({
      type: ["string", "null"],
      enum: ["a", null],
    });
    expect(unionSchema([{ $ref: "#/$defs/Part" }, { type: "null" }])).toEqual({
      anyOf: [{ $ref: "#/$defs/Part" }, { type: "null" }],
    });
  });

  test("returns anyOf for other schemas", () => {
    expect(unionSchema([{ type: "string" }, { type: "array" }])).toEqual({
      anyOf: [{ type: "string" }, { type: "array" }],
    });
    expect(unionSchema([])).toEqual({});
  });
});

describe("toOutputSchema", () => {
  test("lists the properties of an object", () => {
    const schema = {
      type: "object",
      properties: {
        sum: { type: "number", description: "All of it" },
        parts: { type: "array", items: { type: "number" } },
        odd: { anyOf: [{ type: "string" }, { type: "number" }] },
      },
      required: ["sum", "odd"],
    };
    expect(toOutputSchema(schema)).toEqual({
      properties: [
        { name: "sum", type: "number", description: "All of it" },
        {
          name: "parts",
          type: "array",
          description: "",
          optional: true,
          items: { type: "number" },
        },
        { name: "odd", type: "any", description: "", anyOf: schema.properties.odd.anyOf },
      ],
    });
  });

  test("merges the objects of a union", () => {
    const one = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
    const other = { type: "object", properties: { error: { type: "string" } } };
    expect(toOutputSchema({ anyOf: [one, other] })).toEqual({
      properties: [
        { name: "ok", type: "boolean", description: "", optional: true },
        { name: "error", type: "string", description: "", optional: true },
      ],
    });
  });

  test("returns undefined unless the schema is an object", () => {
    expect(toOutputSchema({ type: "string" })).toBeUndefined();
  });
});
