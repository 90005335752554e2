import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { toolTypes } from "../src/tool-types.ts";

const compiler = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
const compilerOptions = {
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: "esnext",
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["esnext", "webworker", "webworker.iterable"],
  types: [],
};

type Case = { definition: object; code: string };

/** Compiles each tool with its generated types in strict mode. Returns the number of errors of each. */
export async function countErrors(cases: readonly Case[]): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), "tool-types-"));
  try {
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    for (const [index, { definition, code }] of cases.entries()) {
      await writeFile(join(folder, `tool-${index}.ts`), `${toolTypes(definition)}\n${code}`);
    }
    const args = [compiler, "-p", folder, "--pretty", "false"];
    const output = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).then(
      ({ stdout }) => stdout,
      (error: unknown) => (error instanceof Error && "stdout" in error ? String(error.stdout) : ""),
    );
    const globalErrors = output.split("\n").filter((line) => line.startsWith("error "));
    if (globalErrors.length > 0) throw new Error(globalErrors.join("\n"));
    return cases.map((_, index) => output.split(`tool-${index}.ts(`).length - 1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What may disappear between two characters of a text, or end a line: controls, formats, separators and surrogates. */
export const separators: readonly string[] = Array.from({ length: 0x1_0000 }, (_, code) =>
  String.fromCharCode(code),
)
  .filter((character) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}]/u.test(character))
  .concat("", "\\", "\ud800", "\udc00", "\udc00\ud800");

/** Imports a TypeScript module from a temporary folder within `parent`, and returns the names of globals that it set. */
export async function globalsSetBy(source: string, parent = tmpdir()): Promise<string[]> {
  const before = new Set(Object.keys(globalThis));
  const folder = await mkdtemp(join(parent, ".test-import-"));
  try {
    const path = join(folder, "module.ts");
    await writeFile(path, source);
    await import(pathToFileURL(path).href);
    return Object.keys(globalThis).filter((name) => !before.has(name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the declaration of `ctx` that tool authors read. */
export function readContextDeclaration(): Promise<string> {
  return readFile(join(import.meta.dirname, "../../starter-tools/tool-context.d.ts"), "utf8");
}
