/** The kind of a region: `name` covers identifiers and strings without spaces, such as keys. */
export type Kind = "name" | "comment" | "text";

export type Region = { kind: Kind; start: number; end: number };

type Scan = {
  source: string;
  isJsx: boolean;
  regions: Region[];
  /** One entry per open brace: what the scanner continues with after the closing brace. */
  braces: ("code" | "template" | "jsx")[];
  /** The previous character or word of code. It distinguishes a regular expression from a division. */
  previous: string;
};

const identifier = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const numeral = /\d[\w.]*/y;
const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const jsxText = /[^<>{}]*(?=[<{])/y;
const beforeExpression = /^(?:[(,=:[!&|?;+\-*%~^>{]|return|typeof|case|await|of|in)?$/;

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** Returns the position of the closing quote, or undefined if the line has none: JSX text contains apostrophes. */
function findClosingQuote(source: string, start: number): number | undefined {
  const quote = source[start];
  for (let at = start + 1; at < source.length && source[at] !== "\n"; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === quote) return at;
  }
  return undefined;
}

function addString(scan: Scan, start: number, end: number): void {
  const value = scan.source.slice(start, end);
  if (value === "") return;
  const hasSpace = /\s/.test(value);
  // Import paths and URLs repeat names that are checked elsewhere.
  if (!hasSpace && /^(?:[.#@]|node:)|:\/\/|@/.test(value)) return;
  // Without a space, only a capitalized word or one with punctuation is text, such as a label.
  const isLabel = /^[A-Z][a-z’']+[.…:!?]?$|^[a-z]+[.…!?]$/.test(value);
  scan.regions.push({ kind: hasSpace || isLabel ? "text" : "name", start, end });
}

/** Scans a template's text up to its end or its next `${`. */
function scanTemplate(scan: Scan, start: number): number {
  const { source } = scan;
  for (let at = start; at < source.length; at++) {
    if (source[at] === "\\") {
      at++;
      continue;
    }
    const isEnd = source[at] === "`";
    if (!isEnd && !source.startsWith("${", at)) continue;
    if (at > start) scan.regions.push({ kind: "text", start, end: at });
    scan.previous = isEnd ? "`" : "{";
    if (!isEnd) scan.braces.push("template");
    return isEnd ? at + 1 : at + 2;
  }
  return source.length;
}

/**
 * Scans the text between two tags, if it is text: `>` also ends type arguments and compares, and the code after it
 * contains other characters.
 */
function scanJsxText(scan: Scan, start: number, isAfterTag: boolean): number {
  const { source } = scan;
  const text = matchAt(jsxText, source, start);
  if (text === undefined || /;|=|&&|\|\||\n\S/.test(text)) return start;
  if (!isAfterTag && /^\s*(?:[(),.:;?&|[\]]|else\b)/.test(text)) return start;
  const end = start + text.length;
  if (/\p{L}/u.test(text)) scan.regions.push({ kind: "text", start, end });
  if (source[end] !== "{") return end;
  scan.braces.push("jsx");
  scan.previous = "{";
  return end + 1;
}

function scanComment(scan: Scan, start: number): number {
  const isBlock = scan.source[start + 1] === "*";
  const found = scan.source.indexOf(isBlock ? "*/" : "\n", start + 2);
  const end = found === -1 ? scan.source.length : found;
  scan.regions.push({ kind: "comment", start: start + 2, end });
  return isBlock ? end + 2 : end;
}

function scanPunctuation(scan: Scan, at: number): number {
  const character = scan.source[at] ?? "";
  const { previous } = scan;
  scan.previous = character;
  if (character === "{") scan.braces.push("code");
  if (character === "}") {
    const opened = scan.braces.pop();
    if (opened === "template") return scanTemplate(scan, at + 1);
    if (opened === "jsx") return scanJsxText(scan, at + 1, false);
  }
  if (character === ">" && scan.isJsx && previous !== "=") {
    const before = scan.source.slice(Math.max(0, at - 60), at);
    return scanJsxText(scan, at + 1, previous === "/" || /<\/[\w.]*$/.test(before));
  }
  return at + 1;
}

/** Skips a regular expression: its words are not prose. */
function skipRegularExpression(scan: Scan, at: number): number | undefined {
  if (scan.source[at + 1] === ">" || !beforeExpression.test(scan.previous)) return undefined;
  const literal = matchAt(regularExpression, scan.source, at);
  if (literal === undefined) return undefined;
  scan.previous = ")";
  return at + literal.length;
}

function scanQuoted(scan: Scan, at: number): number {
  const end = findClosingQuote(scan.source, at);
  if (end === undefined) return at + 1;
  addString(scan, at + 1, end);
  scan.previous = '"';
  return end + 1;
}

function scanWord(scan: Scan, at: number): number | undefined {
  const word = matchAt(identifier, scan.source, at);
  if (word !== undefined) {
    scan.regions.push({ kind: "name", start: at, end: at + word.length });
    scan.previous = word;
    return at + word.length;
  }
  const digits = matchAt(numeral, scan.source, at);
  if (digits === undefined) return undefined;
  scan.previous = "0";
  return at + digits.length;
}

function scanToken(scan: Scan, at: number): number {
  const character = scan.source[at] ?? "";
  if (/\s/.test(character)) return at + 1;
  if (/^\/[/*]/.test(scan.source.slice(at, at + 2))) return scanComment(scan, at);
  if (character === '"' || character === "'") return scanQuoted(scan, at);
  if (character === "`") return scanTemplate(scan, at + 1);
  const end = character === "/" ? skipRegularExpression(scan, at) : scanWord(scan, at);
  return end ?? scanPunctuation(scan, at);
}

/**
 * Splits TypeScript or JavaScript into names, comments and texts. It recognizes strings, templates, regular expressions
 * and JSX text, which is enough to check words, and does not parse the language.
 */
export function scanSource(source: string, isJsx: boolean): Region[] {
  const scan: Scan = { source, isJsx, regions: [], braces: [], previous: "" };
  let at = source.startsWith("#!") ? source.indexOf("\n") : 0;
  while (at < source.length) at = scanToken(scan, at);
  return scan.regions;
}
