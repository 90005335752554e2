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

describe("findComputedImport", () => {
  it.each(patterns)("finds a computed import: %s", async (code) => {
    expect(await find(`export default ${code}`)).toBeDefined();
  });

  it("returns line and column", async () => {
    const code = "const a: number = 1;\n\nexport default (n: string) => import(`./${n}`);\n";
    expect(await find(code)).toEqual({ line: 3, column: 31 });
  });
});

describe("findComputedImport for literal imports", () => {
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
  ])("returns undefined: %s", async (code) => {
    expect(await find(code)).toBeUndefined();
  });
});

describe("findComputedImport for hostile text", () => {
  it.each(["import(/*", "import(//", 'import("', "import .", "require ", " ", "\n"])(
    "takes linear time: %j",
    async (piece) => {
      // Twice the square of this would be minutes.
      const text = piece.repeat(1_000_000 / piece.length);
      await expect(find(`export default \`import${text}\``)).resolves.not.toThrow();
    },
  );

  it("finds an import behind a long comment", async () => {
    const comment = `/* @vite-ignore ${"x".repeat(9_000)} */`;
    expect(await find(`export default (n) => import(${comment} "./" + n)`)).toBeDefined();
  });
});
