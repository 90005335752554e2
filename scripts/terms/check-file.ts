import { blankDirectives, describeProblem, readDirectives } from "./directives.ts";
import { findTitles, isPlainTitle } from "./find-titles.ts";
import { type Match, matchTerms, splitName, type State } from "./match-terms.ts";
import { type Kind, type Region, scanSource } from "./scan-source.ts";
import { masks } from "./terms.ts";

type Finding = { line: number; found: string; use: string; state: State; pattern: string };

export type FileReport = {
  lineCount: number;
  findings: Finding[];
  titleCount: number;
  /** Test titles that do not start with a verb in the third person. */
  oddTitles: { line: number; title: string }[];
  /** Directives without a reason, and unused ones. */
  badDirectives: { line: number; problem: string }[];
};

/** A character that no term matches, so that phrases do not span two strings. */
const separator = "\u0001";

function createLineIndex(source: string) {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (at: number) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

const toSpaces = (text: string) => " ".repeat(text.length);

/** Blanks out everything but the regions of one kind. Positions stay the same. */
function extract(source: string, regions: readonly Region[], kind: Kind): string {
  const parts: string[] = [];
  let end = 0;
  for (const region of regions.filter((each) => each.kind === kind)) {
    const gap = source.slice(end, region.start);
    // Consecutive line comments form one text, and so do concatenated strings.
    const isJoined = /^\s*\/\/$|^(["'`])\s*\+\s*\1$/.test(gap);
    parts.push((isJoined ? " " : separator).repeat(gap.length));
    const text = source.slice(region.start, region.end);
    parts.push(kind === "comment" ? text.replaceAll(/^\s*\*/gm, toSpaces) : text);
    end = region.end;
  }
  return parts.join("");
}

function applyMasks(path: string, source: string): string {
  let text = source;
  for (const { files, pattern } of masks) {
    if (!files.test(path)) continue;
    text = text.replaceAll(pattern, (found) => found.replaceAll(/\S/g, separator));
  }
  return text;
}

function matchSource(source: string, regions: readonly Region[]): Match[] {
  const comments = matchTerms(extract(source, regions, "comment"), "comment");
  const texts = matchTerms(extract(source, regions, "text"), "text");
  const names = regions
    .filter(({ kind }) => kind === "name")
    .flatMap(({ start, end }) => {
      const name = source.slice(start, end);
      return [...matchTerms(splitName(name), "name")].map((match) => {
        return { ...match, at: start, found: name };
      });
    });
  return [...comments, ...texts, ...names].toSorted((one, other) => one.at - other.at);
}

/** Reports the terms in a file's name and content, and its test titles. */
export function checkFile(path: string, content: string): FileReport {
  const lineAt = createLineIndex(content);
  const directives = readDirectives(content, lineAt);
  const source = applyMasks(path, blankDirectives(content));
  const isCode = /\.[cm]?[jt]sx?$/.test(path);
  const regions = isCode ? scanSource(source, path.endsWith("x")) : [];
  const inName = [...matchTerms(splitName(path.split("/").at(-1) ?? ""), "name")];
  const inContent = isCode ? matchSource(source, regions) : [...matchTerms(source, "text")];

  const isExempt = (line: number, found: string) => {
    const directive = directives.find(
      ({ appliesTo, words }) => appliesTo === line && words.includes(found.toLowerCase()),
    );
    if (directive !== undefined) directive.isUsed = true;
    return directive !== undefined;
  };
  const findings = [...inName.map((match) => ({ ...match, at: 0 })), ...inContent]
    .map(({ at, ...match }) => ({ ...match, line: lineAt(at) }))
    .filter(({ line, found }) => !isExempt(line, found));

  const titles = findTitles(source, regions);
  const badDirectives = directives.flatMap((directive) => {
    const problem = describeProblem(directive);
    return problem === undefined ? [] : [{ line: directive.line, problem }];
  });
  return {
    lineCount: content === "" ? 0 : lineAt(content.length) - (content.endsWith("\n") ? 1 : 0),
    findings,
    titleCount: titles.length,
    oddTitles: titles
      .filter(({ title }) => !isPlainTitle(title))
      .map(({ title, at }) => ({ line: lineAt(at), title })),
    badDirectives,
  };
}
