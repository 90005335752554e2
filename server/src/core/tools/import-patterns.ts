import { SourceMap } from "node:module";
import { transform } from "esbuild";
import type { Loader } from "esbuild";

/**
 * esbuild takes `import("./" + name)` for a pattern, searches the disk for every file it may mean and
 * bundles them all, without asking a plugin. So code with such a call is not given to it. Looked for
 * in the code as esbuild itself prints it, which leaves no escape sequences and few ways to write a call.
 */
const call = /\b(?:import|require)(?:\s?\.\s?\w{1,20})?\s?(?:\?\.)?\s?\(/g;
const space = /(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*\n)*/y;
const plainText = /(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)/y;
const end = /[,)]/y;
/** A piece of text that starts a relative path, within the argument of a call. */
const relative = /["'`]\.\.?\//;
/** No more of the code is looked at for one call, or text full of calls would take for ever. */
const longestArgument = 2_000;

/** So many calls that are not plain have no honest reason, and each takes its time to look at. */
const mostCalls = 2_000;

/** Where a file's first call of `import` or `require` with a computed path is, counted from 1. */
export type Place = { line: number; column: number };

/**
 * Finds a call that may be a pattern. A tool may compute no path at all, for it is one file; a package's
 * file none that may be relative. Throws esbuild's `BuildFailure` for code that does not parse.
 */
export async function findImportPattern(
  code: string,
  loader: Loader,
  owner: { file: string; kind: "tool" | "package" },
): Promise<Place | undefined> {
  const printed = await transform(code, {
    loader,
    sourcefile: owner.file,
    sourcemap: "external",
    sourcesContent: false,
    logLevel: "silent",
    logLimit: 50,
    tsconfigRaw: "{}",
    target: "es2024",
  });
  const at = findCall(printed.code, owner.kind);
  return at === undefined ? undefined : originalPlace(printed.code, printed.map, at);
}

function findCall(code: string, kind: "tool" | "package"): number | undefined {
  let calls = 0;
  for (const match of code.matchAll(call)) {
    const open = match.index + match[0].length;
    const rest = code.slice(open, open + 2 * longestArgument);
    const start = skip(space, rest, 0);
    // A comment so long hides what comes after it.
    if (start > longestArgument || rest.startsWith("/*", start)) return match.index;
    const afterText = skip(plainText, rest, start);
    const close = skip(space, rest, afterText);
    const isPlain = afterText > start && skip(end, rest, close) > close;
    if (isPlain) continue;
    calls += 1;
    if (calls > mostCalls) return match.index;
    if (kind === "tool" || relative.test(rest.slice(start, start + longestArgument))) {
      return match.index;
    }
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
