import { describe, expect, test } from "vitest";
import { createCompiler } from "./compiler/create-compiler.ts";
import { declarationsOf } from "./declarations.ts";
import { isRootFile, isModuleTypeScript } from "./compiler/worker-files.ts";

const definition = {
  source: { dependencies: { typed: "1.0.0", "@types/old": "1.0.0", old: "1.0.0", plain: "1.0.0" } },
};
const exported = { ".": { types: "./main.d.cts" }, "./sub": { import: { types: "./sub.d.mts" } } };
const tool = "file:///drafts/one/tool.ts";
const files = new Map([
  ["file:///tool-types.d.ts", declarationsOf(definition, ["typed", "old", "@types/old"])],
  ["file:///node_modules/typed/package.json", JSON.stringify({ name: "typed", exports: exported })],
  [
    "file:///node_modules/typed/main.d.cts",
    "export declare const one: 1; declare global { var everywhere: 1 }",
  ],
  ["file:///node_modules/typed/sub.d.mts", 'export { one as two } from "typed";'],
  [
    "file:///node_modules/@types/old/index.d.ts",
    "declare const old: { now(): string }; export = old;",
  ],
  ["file:///node_modules/unused/index.d.ts", "declare const unused: 1;"],
]);
let version = 0;
const service = createCompiler(
  files,
  { moduleResolution: 100, types: [], lib: ["lib.esnext.d.ts"], esModuleInterop: true },
  (name) => (name === tool ? String(version) : "1"),
);

function problemsOf(code: string): unknown[] {
  files.set(tool, code);
  version += 1;
  return service.getSemanticDiagnostics(tool).map(({ messageText }) => messageText);
}

describe("the editor with the types of npm packages", () => {
  test(
    "resolves package types through package exports, and checks them",
    { timeout: 60_000 },
    () => {
      const imports =
        'import { one } from "typed"; import { two } from "typed/sub"; import old from "old"; import plain from "plain";';
      expect(
        problemsOf(
          `${imports} const a: 1 = one + two - one; const b: string = old.now(); plain.x.y;`,
        ),
      ).toEqual(["Type 'number' is not assignable to type '1'."]);
      expect(problemsOf(`${imports} const b: number = old.now();`)).toEqual([
        "Type 'string' is not assignable to type 'number'.",
      ]);
      expect(problemsOf("unused;")).toEqual(["Cannot find name 'unused'."]);
    },
  );
});

describe("isRootFile and isModuleTypeScript", () => {
  test("returns whether a file is checked as a root, or is a module declaration", () => {
    expect(isRootFile("file:///node_modules/zod/index.d.ts")).toBe(false);
    expect(isRootFile("file:///node_modules/@types/node/fs.d.ts")).toBe(true);
    expect(isRootFile(tool)).toBe(true);
    expect(["a.d.cts", "a.d.mts", "a.ts", "package.json"].map(isModuleTypeScript)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
