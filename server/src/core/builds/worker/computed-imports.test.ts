import { describe, expect, it } from "vitest";
import { findImportPattern } from "./import-patterns.ts";

const inTool = (code: string) => findImportPattern(code, "ts", { file: "tool.ts", kind: "tool" });
const inPackage = (code: string) =>
  findImportPattern(code, "js", { file: "index.js", kind: "package" });

const patterns = [
  "(n) => import(`./${n}.json`)",
  '(n) => import("../" + n)',
  "(n) => import(/* a comment */ `./${n}`)",
  "(n) => import(\n// a line\n`../${n}`)",
  '(n) => import(`${"./"}${n}`)',
  '(n) => require("./" + n)',
  '(n) => require?.("./" + n)',
  '(n) => require.resolve("./" + n)',
  '(n) => r\\u0065quire("./" + n)',
  '(n) => require("\\u002e/" + n)',
  '(n) => import(n ? "./a" + n : "./b" + n)',
];

describe("a computed import", () => {
  it.each(patterns)("is found in a tool: %s", async (code) => {
    expect(await inTool(`export default ${code}`)).toBeDefined();
  });

  it.each(patterns)("is found in a package: %s", async (code) => {
    expect(await inPackage(`module.exports = ${code}`)).toBeDefined();
  });

  it("is named with its line and column", async () => {
    const code = "const a: number = 1;\n\nexport default (n: string) => import(`./${n}`);\n";
    expect(await inTool(code)).toEqual({ line: 3, column: 31 });
  });

  it("is found by any variable in a tool, and may be one in a package", async () => {
    expect(await inTool("export default (n) => import(n)")).toBeDefined();
    expect(await inPackage("module.exports = (n) => require(n)")).toBeUndefined();
  });
});

describe("an import that is not computed", () => {
  it.each([
    'import { z } from "zod"; export default () => z',
    'export default () => import("zod")',
    "export default () => import('node:crypto')",
    "export default () => import(`zod`)",
    'export default () => import("zod", { with: { type: "json" } })',
    'const a = require("zod"); export default () => a',
    "export default () => import.meta.url",
    'export default () => "you may import a file"',
    "export default (o) => o.important(1)",
  ])("is left alone: %s", async (code) => {
    expect(await inTool(code)).toBeUndefined();
  });
});

describe("text that is full of what looks like imports", () => {
  it.each(["import(/*", "import(//", 'import("', "import .", "require ", " ", "\n"])(
    "is searched in time that grows with its length alone: %j",
    async (piece) => {
      // Twice the square of this would be minutes.
      const text = piece.repeat(1_000_000 / piece.length);
      await expect(inPackage(`export default \`import${text}\``)).resolves.not.toThrow();
    },
  );

  it("hides no import behind a long comment", async () => {
    const hidden = `module.exports = (n) => import(/* @vite-ignore ${"x".repeat(9_000)} */ "./" + n)`;
    expect(await inPackage(hidden)).toBeDefined();
    expect(await inTool(`export default ${hidden.slice(17)}`)).toBeDefined();
  });
});
