import { describe, expect, it } from "vitest";
import { describeInputs, humanize, inputsWithoutDescription } from "./describe-inputs.ts";

describe("humanize", () => {
  it.each([
    ["city", "City"],
    ["readingTimeSeconds", "Reading time seconds"],
    ["user_id", "User id"],
    ["HTTPMethod", "HTTP method"],
    ["repo-name.full", "Repo name full"],
    ["天気", "天気"],
    ["__", "__"],
    ["__proto__", "Proto"],
  ])("writes %s as %s", (name, text) => {
    expect(humanize(name)).toBe(text);
  });
});

describe("describeInputs", () => {
  it("adds descriptions and the types of allowed values", () => {
    const schema = {
      type: "object",
      properties: {
        city: { type: "string" },
        unit: { enum: ["c", "f"], description: "Unit of the result" },
        days: { type: "integer", title: "Number of days", description: " " },
        any: { anyOf: [{ type: "string" }, { type: "number" }] },
        mixed: { enum: ["a", 1] },
        anything: true,
      },
    };
    expect(describeInputs(schema)["properties"]).toEqual({
      city: { type: "string", description: "City" },
      unit: { type: "string", enum: ["c", "f"], description: "Unit of the result" },
      days: { type: "integer", title: "Number of days", description: "Number of days" },
      any: { anyOf: [{ type: "string" }, { type: "number" }], description: "Any" },
      mixed: { enum: ["a", 1], description: "Mixed" },
      anything: true,
    });
    expect(inputsWithoutDescription(schema)).toEqual(["city", "days", "any", "mixed"]);
  });

  it("returns a complete schema, and one without properties, as it is", () => {
    const complete = { properties: { a: { type: "string", description: "A" } } };
    expect(describeInputs(complete)).toBe(complete);
    expect(describeInputs({ $ref: "#/$defs/a" })).toEqual({ $ref: "#/$defs/a" });
    expect(inputsWithoutDescription({ properties: [] })).toEqual([]);
  });

  it("keeps a property named __proto__", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as object;
    const { properties } = describeInputs(schema as never);
    expect(JSON.stringify(properties)).toBe(
      '{"__proto__":{"type":"string","description":"Proto"}}',
    );
  });
});
