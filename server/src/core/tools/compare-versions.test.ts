import { describe, expect, it } from "vitest";
import { readDefinition } from "./tool.ts";
import { whatIsAsked } from "./compare-versions.ts";

const definition = (rest: object = {}) =>
  readDefinition(
    JSON.stringify({
      inputSchema: { type: "object" },
      outputSchema: { properties: [] },
      fileFields: [],
      credentials: [{ name: "KEY", description: "", hosts: ["a.example.com"] }],
      allowedHosts: ["a.example.com"],
      timeoutMs: 1_000,
      isolation: "reuse",
      examples: [],
      ...rest,
    }),
  );
const asks = (after: object, before: object = {}) =>
  whatIsAsked(definition(before), definition(after));

describe("whatIsAsked", () => {
  it("names a value that the code wants to see, which a public tool may have asked for once", () => {
    const credentials = [{ name: "KEY", description: "", hosts: [], expose: true }];
    expect(asks({ credentials })).toEqual(["credentials", "expose"]);
    expect(asks({}, { credentials })).toEqual([]);
  });

  it("reads a schema as a schema: texts may change, names, values and secret marks may not", () => {
    const schema = (property: object, rest: object = {}) => ({
      inputSchema: { type: "object", properties: { title: property }, ...rest },
    });
    const before = schema({ type: "string", description: "One", enum: ["a"] });
    expect(asks(schema({ type: "string", title: "Two", enum: ["a"] }), before)).toEqual([]);
    for (const after of [
      schema({ type: "string", enum: ["b"] }),
      schema({ type: "string", enum: ["a"], writeOnly: true }),
      schema({ type: "string", enum: ["a"], default: { title: "b" } }),
      schema({ type: "string", enum: ["a"] }, { additionalProperties: false }),
      { inputSchema: { type: "object" } },
    ]) {
      expect(asks(after, before)).toEqual(["input"]);
    }
  });
});
