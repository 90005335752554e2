import { SourceMap } from "node:module";
import { transform } from "esbuild";
import type { Loader } from "esbuild";

const call = /\b(?:import|require)(?:\s?\.\s?\w{1,20})?\s?(?:\?\.)?\s?\(/g;
const space = /(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*\n)*/y;
const plainText = /(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)/y;
const end = /[,)]/y;
/** Bounds the code examined per call, since code with many calls would take quadratic time. */
const maxArgument = 2_000;

/** Position of the first call of `import` or `require` with a computed path, counted from 1. */
export type Position = { line: number; column: number };

/**
 * Finds an import with a computed path in a tool's own code. A tool is a single file, so such an import cannot work, and
 * esbuild would search for every file that it may match. Examines the code as esbuild prints it, which leaves no escape
 * sequences and few ways to write a call. Throws esbuild's `BuildFailure` for code that does not parse.
 */
export async function findComputedImport(
  code: string,
  loader: Loader,
  file: string,
): Promise<Position | undefined> {
  // An escape sequence can hide the keywords.
  if (!/import|require|\\u/.test(code)) return undefined;
  const printed = await transform(code, {
    loader,
    sourcefile: file,
    sourcemap: "external",
    sourcesContent: false,
    logLevel: "silent",
    logLimit: 50,
    tsconfigRaw: "{}",
    target: "es2024",
  });
  const at = findCall(printed.code);
  return at === undefined ? undefined : originalPosition(printed.code, printed.map, at);
}

function findCall(code: string): number | undefined {
  for (const match of code.matchAll(call)) {
    const open = match.index + match[0].length;
    const rest = code.slice(open, open + 2 * maxArgument);
    const start = skip(space, rest, 0);
    // A longer comment hides what follows it.
    if (start > maxArgument || rest.startsWith("/*", start)) return match.index;
    const afterText = skip(plainText, rest, start);
    const close = skip(space, rest, afterText);
    const isPlain = afterText > start && skip(end, rest, close) > close;
    if (!isPlain) return match.index;
  }
  return undefined;
}

/** The index after the match of a sticky pattern at `from`, or `from` if it does not match. */
function skip(pattern: RegExp, code: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(code) ? pattern.lastIndex : from;
}

function originalPosition(code: string, map: string, at: number): Position {
  const before = code.slice(0, at).split("\n");
  const entry = new SourceMap(JSON.parse(map)).findEntry(
    before.length - 1,
    before.at(-1)?.length ?? 0,
  );
  return "originalLine" in entry
    ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
    : { line: 1, column: 1 };
}
