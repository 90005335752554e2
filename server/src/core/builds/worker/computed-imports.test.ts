import { describe, expect, it } from "vitest";
import { findComputedImport } from "./computed-imports.ts";

const find = (code: string) => findComputedImport(code, "ts", "tool.ts");

const patterns = [
  "(n) => import(n)",
  "(n) => import(`./${n}.json`)",
  '(n) => require("." + ("/../../" + n))',
  "(n) => require(`${`.`}${`/../../`}${n}`)",
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
  it.each(patterns)("is found: %s", async (code) => {
    expect(await find(`export default ${code}`)).toBeDefined();
  });

  it("is named with its line and column", async () => {
    const code = "const a: number = 1;\n\nexport default (n: string) => import(`./${n}`);\n";
    expect(await find(code)).toEqual({ line: 3, column: 31 });
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
    expect(await find(code)).toBeUndefined();
  });
});

describe("text that is full of what looks like imports", () => {
  it.each(["import(/*", "import(//", 'import("', "import .", "require ", " ", "\n"])(
    "is searched in time that grows with its length alone: %j",
    async (piece) => {
      // Twice the square of this would be minutes.
      const text = piece.repeat(1_000_000 / piece.length);
      await expect(find(`export default \`import${text}\``)).resolves.not.toThrow();
    },
  );

  it("hides no import behind a long comment", async () => {
    const comment = `/* @vite-ignore ${"x".repeat(9_000)} */`;
    expect(await find(`export default (n) => import(${comment} "./" + n)`)).toBeDefined();
  });
});
