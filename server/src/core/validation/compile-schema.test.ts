import { describe, expect, it } from "vitest";
import { compileSchema } from "./compile-schema.ts";

describe("compileSchema", () => {
  it.each([true, false])(
    "checks each pattern of a schema by its own matcher (counted: %s)",
    (isCounted) => {
      const properties = {
        a: { type: "string", pattern: "^a$" },
        b: { type: "string", pattern: "^b$" },
      };
      const validate = compileSchema(
        { type: "object", properties },
        { allErrors: true, isCounted },
      );
      expect([validate({ a: "a", b: "b" }), validate({ a: "a", b: "a" })]).toEqual([true, false]);
    },
  );

  it("does not take inherited members for properties of an input", () => {
    const named = ["constructor", "toString", "__proto__", "hasOwnProperty"];
    const properties = Object.fromEntries(named.map((name) => [name, { type: "string" }]));
    const options = { allErrors: true, isCounted: true };
    const optional = compileSchema({ type: "object", properties }, options);
    expect(optional({})).toBe(true);
    expect(optional({ constructor: 1 })).toBe(false);
    const required = compileSchema({ type: "object", properties, required: named }, options);
    expect(required({})).toBe(false);
  });
});
