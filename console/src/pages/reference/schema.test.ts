import { describe, expect, it } from "vitest";
import { choicesOf, describeType, sampleOf, shapesOf } from "./schema.ts";

const root = {
  components: {
    schemas: {
      Node: {
        type: "object",
        properties: { id: { type: "string" }, next: { $ref: "#/components/schemas/Node" } },
        required: ["id"],
      },
      Loop: { $ref: "#/components/schemas/Loop" },
      Choice: { oneOf: [{ $ref: "#/components/schemas/Node" }, { properties: { b: {} } }] },
    },
  },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("describeType", () => {
  it.each([
    [{ type: "string", format: "uuid", maxLength: 40 }, "string (uuid), up to 40 characters"],
    [{ type: "integer", minimum: 1, maximum: 50 }, "integer, 1 to 50"],
    [{ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, "integer, from 0"],
    [{ type: "array", items: ref("Node"), maxItems: 3 }, "array of Node, up to 3"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ enum: ["a", 1] }, '"a" | 1'],
    [{ const: "run" }, '"run"'],
    [{ type: "object", additionalProperties: { type: "number" } }, "object of number"],
    [{ type: "object", additionalProperties: false }, "object"],
    [{}, "any"],
  ])("describes %j as %s", (schema, text) => {
    expect(describeType(schema)).toBe(text);
  });
});

describe("shapesOf", () => {
  it("finds objects behind references, lists and alternatives", () => {
    const nodes = { name: "Node", fields: [{ name: "id", isRequired: true }, { name: "next" }] };
    expect(shapesOf(root, { type: "array", items: ref("Node") })).toMatchObject([nodes]);
    expect(shapesOf(root, ref("Choice"))).toMatchObject([nodes, { fields: [{ name: "b" }] }]);
  });

  it("ends for schemas that contain themselves, and for unknown ones", () => {
    expect(shapesOf(root, ref("Loop"))).toEqual([]);
    expect(shapesOf(root, ref("constructor"))).toEqual([]);
    const inside: Record<string, object> = {};
    inside["anyOf"] = [inside, inside, inside];
    expect(shapesOf(root, inside as never)).toEqual([]);
  });
});

describe("sampleOf", () => {
  it("samples schemas of the document, and an empty object for anything", () => {
    expect(sampleOf(root, ref("Node"))).toEqual({ id: "text" });
    expect(sampleOf(root, { description: "The input of the tool." })).toEqual({});
  });
});

describe("choicesOf", () => {
  it("returns the values of fixed sets", () => {
    expect(choicesOf({ enum: ["a", "b"] })).toEqual(["a", "b"]);
    expect(choicesOf({ type: "boolean" })).toEqual(["true", "false"]);
    expect(choicesOf({ type: "string" })).toEqual([]);
  });
});
