import { describe, expect, it } from "vitest";
import { readDefinition } from "./tool.ts";
import { findReviewReasons } from "./compare-versions.ts";

const definition = (rest: object = {}) => ({
  title: "Sundial",
  description: "Reads the time from the sun.",
  ...readDefinition(
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
  ),
  ...rest,
});
const asks = (after: object, before: object = {}) =>
  findReviewReasons(definition(before), definition(after));

describe("findReviewReasons", () => {
  it("returns expose for a value that the code newly reads", () => {
    const credentials = [{ name: "KEY", description: "", hosts: [], expose: true }];
    expect(asks({ credentials })).toEqual(["credentials", "expose"]);
    expect(asks({}, { credentials })).toEqual([]);
  });

  it("distinguishes texts of a schema from names, values and secret marks", () => {
    const schema = (property: object, rest: object = {}) => ({
      inputSchema: { type: "object", properties: { title: property }, ...rest },
    });
    const before = schema({ type: "string", description: "One", enum: ["a"] });
    expect(asks(schema({ type: "string", title: "Two", enum: ["a"] }), before)).toEqual(["texts"]);
    for (const after of [
      schema({ type: "string", enum: ["b"] }),
      schema({ type: "string", enum: ["a"], writeOnly: true }),
      schema({ type: "string", enum: ["a"], default: { title: "b" } }),
      schema({ type: "string", enum: ["a"] }, { additionalProperties: false }),
      { inputSchema: { type: "object" } },
    ]) {
      expect(asks(after, before)).toContain("input");
    }
  });

  const secret = { type: "string", maxLength: 30, writeOnly: true };
  const plain = { type: "string" };
  const within = (reference: string, rest: object) => ({
    type: "object",
    properties: { password: { $ref: reference } },
    ...rest,
  });
  it.each([
    ["examples", within("#/examples/0", { examples: [secret] }), { examples: [plain] }],
    [
      "a location under no keyword",
      within("#/x-defs/title", { "x-defs": { title: secret } }),
      { "x-defs": { title: plain } },
    ],
    [
      "a definition called title",
      within("#/$defs/title", { $defs: { title: secret } }),
      { $defs: { title: plain } },
    ],
    ["a title", within("#/title", { title: secret }), { title: plain }],
    [
      "a value",
      within("#/enum/0", { enum: [{ ...secret, title: "a" }] }),
      { enum: [{ ...secret, title: "b" }] },
    ],
    ["dependencies", { type: "object", dependencies: { title: ["x"] } }, { dependencies: {} }],
  ])("returns input for a changed reference target in %s", (_, inputSchema, change) => {
    const after = { inputSchema: { ...inputSchema, ...change } };
    expect(asks(after, { inputSchema })).toContain("input");
  });

  it("returns changed texts, file fields and outputs", () => {
    const credential = { name: "KEY", hosts: ["a.example.com"] };
    const example = { title: "Noon", input: {} };
    expect(asks({ title: "Moondial" })).toEqual(["texts"]);
    expect(asks({ description: "Reads the moon." })).toEqual(["texts"]);
    expect(asks({ examples: [example] })).toEqual(["texts"]);
    expect(asks({ credentials: [{ ...credential, description: "Paste it" }] })).toEqual(["texts"]);
    expect(asks({ fileFields: [] }, { fileFields: ["photo"] })).toEqual(["input"]);
    expect(asks({ fileFields: ["photo"] })).toEqual(["input"]);
    expect(asks({ outputSchema: { properties: [{ name: "a" }] } })).toEqual(["output"]);
  });

  it("returns nothing for an update with fewer needs", () => {
    expect(asks({ credentials: [], allowedHosts: [], timeoutMs: 500 })).toEqual([]);
  });
});
