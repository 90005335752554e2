import { SourceMap } from "node:module";
import { transform } from "esbuild";
import type { Loader } from "esbuild";

const call = /\b(?:import|require)(?:\s?\.\s?\w{1,20})?\s?(?:\?\.)?\s?\(/g;
const space = /(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*\n)*/y;
const plainText = /(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)/y;
const end = /[,)]/y;
/** No more of the code is looked at for one call, or text full of calls would take for ever. */
const maxArgument = 2_000;

/** Where the first call of `import` or `require` with a computed path is, counted from 1. */
export type Place = { line: number; column: number };

/**
 * Finds an import whose path a tool's own code computes: it is one file, so no such import can work, and esbuild
 * would look for every file that it may mean. Looked for in the code as esbuild prints it, which leaves no escape
 * sequences and few ways to write a call. Throws esbuild's `BuildFailure` for code that does not parse.
 */
export async function findComputedImport(
  code: string,
  loader: Loader,
  file: string,
): Promise<Place | undefined> {
  // An escape sequence can hide the words.
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
  return at === undefined ? undefined : originalPlace(printed.code, printed.map, at);
}

function findCall(code: string): number | undefined {
  for (const match of code.matchAll(call)) {
    const open = match.index + match[0].length;
    const rest = code.slice(open, open + 2 * maxArgument);
    const start = skip(space, rest, 0);
    // A comment so long hides what comes after it.
    if (start > maxArgument || rest.startsWith("/*", start)) return match.index;
    const afterText = skip(plainText, rest, start);
    const close = skip(space, rest, afterText);
    const isPlain = afterText > start && skip(end, rest, close) > close;
    if (!isPlain) return match.index;
  }
  return undefined;
}

/** The index behind what a sticky pattern matches at `from`, or `from` where it does not match. */
function skip(pattern: RegExp, code: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(code) ? pattern.lastIndex : from;
}

function originalPlace(code: string, map: string, at: number): Place {
  const before = code.slice(0, at).split("\n");
  const entry = new SourceMap(JSON.parse(map)).findEntry(
    before.length - 1,
    before.at(-1)?.length ?? 0,
  );
  return "originalLine" in entry
    ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
    : { line: 1, column: 1 };
}
