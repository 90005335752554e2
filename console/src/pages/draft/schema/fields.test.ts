import { describe, expect, test } from "vitest";
import {
  addField,
  fieldsOf,
  kindOf,
  moveField,
  removeField,
  renameField,
  setField,
  setKind,
  setRequired,
} from "./fields.ts";

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    city: { type: "string", description: "Where", minLength: 2 },
    days: { type: "integer", minimum: 1 },
    shape: { oneOf: [{ type: "string" }, { type: "number" }] },
  },
  required: ["city"],
  additionalProperties: false,
};

describe("fields of a schema", () => {
  test("lists the properties in order", () => {
    expect(fieldsOf(schema).map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ["city", true],
      ["days", false],
      ["shape", false],
    ]);
    expect(fieldsOf({})).toEqual([]);
    expect(fieldsOf({ properties: "none", required: 3 })).toEqual([]);
  });

  test("returns a type only when the editor can show the whole schema", () => {
    expect(fieldsOf(schema).map((field) => kindOf(field.schema))).toEqual([
      "string",
      "integer",
      "other",
    ]);
    expect(kindOf({ type: ["string", "null"] })).toBe("other");
  });

  test("preserves what is not changed", () => {
    const changed = setField(schema, "days", { type: "integer", minimum: 2 });
    expect(changed).toEqual({
      ...schema,
      properties: { ...schema.properties, days: { type: "integer", minimum: 2 } },
    });
  });

  test("renames a field in place and keeps it required", () => {
    const renamed = renameField(schema, "city", "place");
    expect(Object.keys(renamed?.["properties"] ?? {})).toEqual(["place", "days", "shape"]);
    expect(renamed?.["required"]).toEqual(["place"]);
  });

  test("refuses an empty or taken name and accepts any other", () => {
    expect(renameField(schema, "city", "")).toBeUndefined();
    expect(renameField(schema, "city", "days")).toBeUndefined();
    const odd = renameField(schema, "days", "__proto__") ?? {};
    expect(fieldsOf(odd).map(({ name }) => name)).toEqual(["city", "__proto__", "shape"]);
  });

  test("adds, moves, requires and removes fields", () => {
    const added = addField(addField(schema));
    expect(
      fieldsOf(added)
        .map(({ name }) => name)
        .slice(-2),
    ).toEqual(["field", "field2"]);
    const moved = moveField(added, "field", -1);
    expect(fieldsOf(moved).map(({ name }) => name)[2]).toBe("field");
    expect(moveField(moved, "city", -1)).toEqual(moved);
    expect(setRequired(moved, "field", true)["required"]).toEqual(["city", "field"]);
    expect(removeField(schema, "city")).not.toHaveProperty("required");
  });

  test("drops keywords of the old type and preserves the description", () => {
    const city = { type: "string", description: "Where", minLength: 2, default: "Rome" };
    expect(setKind(city, "number")).toEqual({ type: "number", description: "Where" });
    expect(setKind({ type: "integer", minimum: 1 }, "number")).toEqual({
      type: "number",
      minimum: 1,
    });
    expect(setKind(city, "array")).toEqual({
      type: "array",
      items: { type: "string" },
      description: "Where",
    });
    expect(setKind({ type: "object", properties: {} }, "object")).toEqual({
      type: "object",
      properties: {},
    });
  });
});
