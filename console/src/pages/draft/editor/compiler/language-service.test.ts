import { beforeAll, describe, expect, test } from "vitest";
import { declarationsOf } from "../declarations.ts";
import { createLanguage } from "./language-service.ts";

const name = "file:///drafts/one/tool.ts";
const language = createLanguage();

/** Opens the code, and returns where `|` is in it. */
function open(marked: string): number {
  const at = marked.indexOf("|");
  language.setFile(name, marked.replace("|", ""));
  return at;
}

function apply(text: string, edits: readonly { from: number; to: number; insert: string }[]) {
  return edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((done, { from, to, insert }) => done.slice(0, from) + insert + done.slice(to), text);
}

describe("createLanguage", { timeout: 60_000 }, () => {
  beforeAll(() => {
    const inputSchema = { type: "object", properties: { city: { type: "string" } } };
    language.setDeclarations(
      [],
      [["file:///tool-types.d.ts", declarationsOf({ inputSchema }, [])]],
    );
  }, 60_000);

  test("reports errors with their position, and code that has no effect", () => {
    open("const used = 1;\nexport default () => {\n  const unused = 1;\n  return usd;\n};\n");
    expect(language.check(name)).toEqual([
      expect.objectContaining({
        line: 4,
        column: 10,
        severity: "error",
        message: expect.stringContaining("Cannot find name 'usd'"),
      }),
      expect.objectContaining({ line: 1, severity: "hint", tag: "unnecessary" }),
      expect.objectContaining({ line: 3, column: 9, severity: "hint", tag: "unnecessary" }),
    ]);
  });

  test("completes members, and describes them", () => {
    const at = open("export default (input: Input) => input.|;");
    expect(language.complete(name, at)).toContainEqual(
      expect.objectContaining({ name: "city", kind: "property", isDeprecated: false }),
    );
    expect(language.describeCompletion(name, at, "city")?.signature).toContain("city?: string");
  });

  test("describes the name at a position, and the current parameter of a call", () => {
    const at = open(
      "/** Adds. @param b The second. */\nfunction add(a: number, b: number) { return a + b; }\nadd(1, |2);",
    );
    expect(language.signature(name, at)).toEqual({
      before: "add(a: number, ",
      parameter: "b: number",
      after: "): number",
      documentation: "The second.",
    });
    expect(language.hover(name, at - 6)).toMatchObject({
      signature: "function add(a: number, b: number): number",
      documentation: "Adds.",
      tags: [{ name: "param", text: "b The second." }],
    });
    expect(language.hover(name, 0)).toBeUndefined();
  });

  test("offers quick fixes of an error", () => {
    const text = "const total = 1;\nconsole.log(totl);\n";
    open(text);
    const [problem] = language.check(name);
    const [fix] = language.fixes(name, problem ?? { from: 0, to: 0 }, [problem?.code ?? 0]);
    expect(fix?.title).toBe("Change spelling to 'total'");
    expect(apply(text, fix?.edits ?? [])).toBe("const total = 1;\nconsole.log(total);\n");
  });

  test("formats code", () => {
    const text = "export default  ()=>{\nreturn 1\n}\n";
    open(text);
    expect(apply(text, language.format(name))).toBe("export default () => {\n  return 1\n}\n");
  });

  test("finds the definition and the uses of a name, and renames it", () => {
    const text = "const city = 1;\nconst other = { city };\nconsole.log(city, other);\n";
    open(text);
    const at = text.lastIndexOf("city");
    expect(language.define(name, at)).toEqual({ from: 6, to: 10 });
    expect(language.findReferences(name, at)).toHaveLength(3);
    expect(apply(text, language.rename(name, at, "town") ?? [])).toBe(
      "const town = 1;\nconst other = { city: town };\nconsole.log(town, other);\n",
    );
  });

  test("refuses to rename what is declared outside of the code", () => {
    expect(language.rename(name, open("const x: In|put = {};"), "Other")).toBeUndefined();
    expect(language.rename(name, open("conso|le.log(1);"), "other")).toBeUndefined();
  });

  test("resolves imports again after declarations changed", () => {
    open('import { one } from "pkg";\nconsole.log(one);\n');
    expect(language.check(name)).toHaveLength(1);
    const file = "file:///node_modules/pkg/index.d.ts";
    language.setDeclarations([], [[file, "export declare const one: 1;"]]);
    expect(language.check(name)).toEqual([]);
    language.setDeclarations([file], []);
    expect(language.check(name)).toHaveLength(1);
  });
});
