import { describe, expect, test } from "vitest";
import { addUses, mergeInput, mergeOutput } from "./merge.ts";

describe("mergeInput", () => {
  test("replaces the structure, and preserves keywords that types cannot express", () => {
    const before = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        city: { type: "string", description: "Where", minLength: 2 },
        days: { type: "integer", minimum: 1, default: 3 },
        old: { type: "string" },
        list: { type: "array", items: { type: "string", format: "email" } },
      },
      required: ["city"],
    };
    const inferred = {
      type: "object",
      properties: {
        city: { type: "string", description: "From the code" },
        days: { type: "number" },
        list: { type: "array", items: { type: "string" } },
        more: { type: "boolean" },
      },
      required: ["city", "days"],
      additionalProperties: false,
    };
    expect(mergeInput(before, inferred)).toEqual({
      $schema: before.$schema,
      type: "object",
      properties: {
        city: { type: "string", description: "From the code", minLength: 2 },
        days: { type: "integer", minimum: 1, default: 3 },
        list: { type: "array", items: { type: "string", format: "email" } },
        more: { type: "boolean" },
      },
      required: ["city", "days"],
      additionalProperties: false,
    });
  });

  test("preserves only the description of a field whose type changes", () => {
    const before = { properties: { a: { type: "string", description: "Words", minLength: 1 } } };
    const inferred = { properties: { a: { type: "number" } } };
    expect(mergeInput(before, inferred)["properties"]).toEqual({
      a: { type: "number", description: "Words" },
    });
  });
});

describe("addUses", () => {
  test("adds what the code reads, and changes nothing else", () => {
    const before = {
      type: "object",
      properties: { a: { type: "integer" }, b: {} },
      required: ["b"],
    };
    const uses = {
      type: "object",
      properties: { a: { type: "string" }, c: { type: "number" }, d: { type: "string" } },
      required: ["a", "c"],
    };
    expect(addUses(before, uses)).toEqual({
      type: "object",
      properties: { a: { type: "integer" }, b: {}, c: { type: "number" }, d: { type: "string" } },
      required: ["b", "c"],
    });
  });
});

describe("mergeOutput", () => {
  test("preserves descriptions and titles", () => {
    const before = {
      properties: [{ name: "average", type: "number", description: "Mean", title: "Average" }],
    };
    const inferred = {
      properties: [
        { name: "average", type: "number", description: "" },
        { name: "new", type: "string", description: "" },
      ],
    };
    expect(mergeOutput(before, inferred)).toEqual({
      properties: [
        { name: "average", type: "number", description: "Mean", title: "Average" },
        { name: "new", type: "string", description: "" },
      ],
    });
  });
});
