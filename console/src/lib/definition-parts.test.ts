import { describe, expect, it } from "vitest";
import { diffLines } from "./line-diff.ts";
import { partsOf, toLines } from "./definition-parts.ts";

const changed = (before: Parameters<typeof toLines>[0], after: Parameters<typeof toLines>[0]) =>
  diffLines(toLines(before), toLines(after)).filter(({ kind }) => kind !== "same");

describe("toLines", () => {
  it("puts each list entry on a separate line", () => {
    expect(changed(["a.example"], ["a.example", "b.example"])).toEqual([
      { kind: "added", text: "b.example" },
    ]);
    expect(changed([{ name: "A" }], [{ name: "A" }, { name: "B" }])).toEqual([
      { kind: "added", text: '{"name":"B"}' },
    ]);
    expect(changed([], ["a.example"])).toEqual([{ kind: "added", text: "a.example" }]);
    expect(changed({ zod: "4.0.0" }, { zod: "4.0.0", ky: "1.0.0" })).toEqual([
      { kind: "added", text: "ky: 1.0.0" },
    ]);
  });

  it("returns strings unchanged and schemas as JSON", () => {
    expect(toLines("a\nb")).toBe("a\nb");
    expect(toLines({ properties: { a: {} } })).toContain('"properties"');
    expect(toLines([])).toBe("");
  });
});

describe("partsOf", () => {
  it("returns the code first and leaves out the visibility", () => {
    const source = { language: "typescript", code: "export default 1;" };
    const parts = partsOf({ title: "A", visibility: "private", confirm: true, source });
    expect([...parts]).toEqual([
      ["Code", "export default 1;"],
      ["Title", "A"],
      ["Confirmation in chats", "true"],
      ["npm packages", ""],
      ["Language", "typescript"],
    ]);
  });

  it("returns nothing when the source is hidden", () => {
    expect(partsOf({ title: "A" }).size).toBe(0);
  });
});
