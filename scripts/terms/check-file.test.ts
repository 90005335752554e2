import { describe, expect, it } from "vitest";
import { checkFile } from "./check-file.ts";

const found = (path: string, content: string, state?: string) =>
  checkFile(path, content)
    .findings.filter((finding) => state === undefined || finding.state === state)
    .map((finding) => `${finding.line}: ${finding.found}`);

describe("checkFile", () => {
  it("finds a phrase in comments, strings, templates and JSX text", () => {
    expect(found("a.ts", "const a = 1;\n// Done by and by.\n")).toEqual(["2: by and by"]);
    expect(found("a.ts", 'const a = "by and by";')).toEqual(["1: by and by"]);
    expect(found("a.ts", "const a = `${b} by and by ${c}`;")).toEqual(["1: by and by"]);
    expect(found("a.tsx", "const a = <p>It's by and by</p>;")).toEqual(["1: by and by"]);
    expect(found("a.tsx", "const a = <p>{b} by and by</p>;")).toEqual(["1: by and by"]);
    expect(found("a.md", "It is done by\nand by.")).toEqual(["1: by and by"]);
  });

  it("finds a phrase that continues on the next line of a comment or string", () => {
    expect(found("a.ts", "// Done by\n// and by.")).toEqual(["1: by and by"]);
    expect(found("a.ts", "/**\n * Done by\n * and by.\n */")).toEqual(["2: by and by"]);
    expect(found("a.ts", '"by " +\n  "and by now"')).toEqual(["1: by and by"]);
  });

  it("does not join separate strings, or read code as prose", () => {
    expect(found("a.ts", 'f("by a", "and by b")')).toEqual([]);
    expect(found("a.ts", "by.and.by()")).toEqual([]);
    expect(found("a.ts", "const a = b.match(/['\"] by and by/);")).toEqual([]);
    expect(found("a.ts", 'import "./by-and-by.ts";')).toEqual([]);
  });

  it("splits identifiers and file names into words", () => {
    expect(found("a.ts", "standIns(x); STAND_INS;")).toEqual(["1: standIns", "1: STAND_INS"]);
    expect(found("server/stand-ins.ts", "")).toEqual(["1: stand ins"]);
    expect(found("a.ts", "understandInsight(x);")).toEqual([]);
  });

  it("keeps scanning correctly after quotes, templates and regular expressions", () => {
    const code = ["const a = /[/\"']/.test(b) ? c / d : `x${`y${z}`}`;", "// by and by"];
    expect(found("a.ts", code.join("\n"))).toEqual(["2: by and by"]);
    const page = ["<p>", "  Don't stop", "</p>", "// by and by"];
    expect(found("a.tsx", page.join("\n"))).toEqual(["4: by and by"]);
  });

  it("skips allowed uses", () => {
    expect(found("a.md", "The keep-alive timeout.", "counted")).toEqual([]);
    expect(found("a.md", "It keeps them.", "counted")).toEqual(["1: keeps"]);
  });

  it("skips words that a directive exempts, and reports directives that have no use or reason", () => {
    const exempt = "// check-terms-disable-next-line by and by -- a quotation\n// by and by";
    expect(checkFile("a.ts", exempt)).toMatchObject({ findings: [], badDirectives: [] });
    const line = 'f("by and by"); // check-terms-disable-line by and by -- a quotation';
    expect(checkFile("a.ts", line)).toMatchObject({ findings: [], badDirectives: [] });
    const unused = "// check-terms-disable-next-line by and by -- a quotation\n// soon";
    expect(checkFile("a.ts", unused).badDirectives).toMatchObject([{ line: 1 }]);
    const noReason = "<!-- check-terms-disable-next-line by and by -->\nby and by";
    expect(checkFile("a.md", noReason).badDirectives).toMatchObject([{ line: 1 }]);
  });

  it("counts lines and odd test titles", () => {
    const code = 'it("returns 409", f);\nit.each([")", 1])("the run of %s", f);\na.test("the");\n';
    expect(checkFile("a.test.ts", code)).toMatchObject({
      lineCount: 3,
      titleCount: 2,
      oddTitles: [{ line: 2, title: "the run of %s" }],
    });
  });
});
