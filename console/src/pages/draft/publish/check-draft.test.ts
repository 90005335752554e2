import { describe, expect, it } from "vitest";
import { checkDraft } from "./check-draft.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.checklist;

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
    known: undefined,
    visibility: "workspace",
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

  it("names the inputs without a description, the first ones of many", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const facts = { inputSchema: { type: "object", properties } };
    expect(check(facts)).toEqual(["warning inputs"]);
    expect(messages.inputsWithoutDescription(names)).toContain("a, b, c, d, e, f and 2 more");
    const described = { a: { type: "string", description: "Whom to greet." } };
    expect(check({ inputSchema: { type: "object", properties: described } })).toEqual([]);
  });

  it("warns about a credential that only its author has, unless the tool is private", () => {
    const mine = { name: "KEY", owner: "user" } as const;
    const known = [mine, { name: "OTHER", owner: "workspace" } as const];
    expect(check({}, { known })).toEqual(["warning sharing KEY"]);
    expect(check({ visibility: "public" }, { known })).toEqual(["warning sharing KEY"]);
    expect(check({ visibility: "private" }, { known })).toEqual([]);
    expect(check({}, { known, visibility: "private" })).toEqual([]);
    expect(check({}, { known: [mine, { name: "KEY", owner: "workspace" }] })).toEqual([]);
    expect(check({}, { known: [] })).toEqual([]);
    const server = [{ name: "KEY", hosts: ["a.example"], resource: "https://a.example/mcp" }];
    expect(check({ credentials: server }, { known })).toEqual([]);
  });
});
