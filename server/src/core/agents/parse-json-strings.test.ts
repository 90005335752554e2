import { afterAll, describe, expect, it } from "vitest";
import { createValidation } from "#core/validation";
import { parseJsonStrings } from "./parse-json-strings.ts";

const schema = {
  type: "object",
  properties: {
    text: { type: "string" },
    either: { type: ["string", "object"] },
    any: {},
    count: { type: "integer" },
    ratio: { type: "number" },
    isOn: { type: "boolean" },
    list: { type: "array", items: { type: "integer" } },
    words: { type: "array", items: { type: "string" } },
    inner: { type: "object", properties: { count: { type: "integer" } } },
  },
};
const validation = createValidation({ size: 1, jobCpuMs: 1_000, cpuMsPerMinute: 0 });
afterAll(() => validation.stop());
const read = (value: unknown) =>
  parseJsonStrings({ validation, workspaceId: "workspace" }, value, schema);

describe("parseJsonStrings", () => {
  it("parses strings where the schema expects another type", () => {
    const sent = {
      count: "5",
      ratio: "0.5",
      isOn: "true",
      list: '["1",2]',
      inner: '{"count":"3"}',
      words: "alone",
    };
    expect(read(JSON.stringify(sent))).toEqual({
      count: 5,
      ratio: 0.5,
      isOn: true,
      list: [1, 2],
      inner: { count: 3 },
      words: ["alone"],
    });
  });

  it("leaves strings that the schema allows, or that contain another type", () => {
    const kept = {
      text: "5",
      either: '{"a":1}',
      any: "[1]",
      count: "5.5",
      ratio: "many",
      isOn: "yes",
      list: '{"0":1}',
      inner: "[]",
      unknown: "{}",
    };
    expect(read(kept)).toEqual(kept);
    for (const odd of [null, 5, [1], "not JSON"]) expect(read(odd)).toEqual(odd);
  });

  it("does not set the prototype", () => {
    const odd = read('{"__proto__":{"count":"5"},"constructor":"1"}') as object;
    expect(Object.getPrototypeOf(odd)).toBe(Object.prototype);
    expect(Object.keys(odd)).toEqual(["__proto__", "constructor"]);
  });

  it("leaves strings beyond the limits of an input, which all strings share", () => {
    const arrays = (count: number) => `[${Array.from({ length: count }, () => "[]").join()}]`;
    expect(read({ list: arrays(340_000) })).toEqual({ list: arrays(340_000) });
    const some = arrays(120_000);
    expect(read({ list: some, words: some })).toEqual({ list: JSON.parse(some), words: [some] });
    const given = JSON.parse(some) as unknown;
    expect(read({ list: some, any: given })).toEqual({ list: some, any: given });
  });

  it("throws rate_limited for a workspace without CPU time", () => {
    const limited = createValidation({ size: 1, jobCpuMs: 1_000, cpuMsPerMinute: 1 });
    try {
      const list = `[${"1,".repeat(200_000)}1]`;
      const subject = { validation: limited, workspaceId: "workspace" };
      parseJsonStrings(subject, { list }, schema);
      expect(() => parseJsonStrings(subject, { list }, schema)).toThrow(
        expect.objectContaining({ code: "rate_limited" }),
      );
    } finally {
      limited.stop();
    }
  });
});
