import { describe, expect, it } from "vitest";
import { checkDraft } from "./check-draft.ts";

const complete = {
  title: "Orders",
  description: "Finds orders.",
  examples: [{ input: {} }],
  credentials: [{ name: "KEY", hosts: ["api.example.com"] }],
};
const check = (
  change: object = {},
  facts: Partial<Parameters<typeof checkDraft>[0]> = {},
): string[] =>
  checkDraft({
    definition: { ...complete, ...change },
    isNewTool: true,
    typeErrors: [],
    templates: [{ title: "Blank tool", description: "Describe it." }],
    results: { failed: 0, results: [{ example: 0, status: "passed" }] },
    ...facts,
  }).map(({ id, level }) => `${level} ${id}`);

describe("checkDraft", () => {
  it("finds nothing in a complete draft, and does not guess at types", () => {
    expect(check()).toEqual([]);
    expect(check({}, { typeErrors: undefined })).toEqual([]);
  });

  it("warns about texts of a template only in a new tool", () => {
    const texts = { title: "Blank tool ", description: "Describe it." };
    expect(check(texts)).toEqual(["warning title", "warning description"]);
    expect(check(texts, { isNewTool: false })).toEqual([]);
  });

  it("warns about type errors, and about examples that are missing, failed or were not run", () => {
    expect(check({}, { typeErrors: [{ line: 2, message: "No." }] })).toEqual(["warning types"]);
    expect(check({ examples: [] })).toEqual(["warning examples"]);
    expect(check({}, { results: { failed: 1, results: [] } })).toEqual(["warning examples"]);
    expect(check({}, { results: undefined })).toEqual(["warning examples"]);
    expect(check({}, { results: { failed: 0, results: [] } })).toEqual(["warning examples"]);
  });

  it("blocks a credential that is sent nowhere and that code cannot read", () => {
    const credentials = [
      { name: "A", hosts: [] },
      { name: "B", hosts: [], expose: true },
    ];
    expect(check({ credentials, examples: [] })).toEqual([
      "blocked credential A",
      "warning examples",
    ]);
  });
});
