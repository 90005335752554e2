/**
 * Properties of a regular expression: an equivalent RE2 expression, and bounds of the work of a backtracking engine.
 */
export type PatternPlan = {
  /** The same expression for RE2. */
  re2: string;
  /** Approximate number of instructions of a compiled automaton. */
  size: number;
  /** Paths of a backtracking engine: `factor × length ^ degree`; `Infinity` if exponential. */
  factor: number;
  degree: number;
};

/** The pattern uses a feature without a linear-time equivalent, such as lookaround or a back-reference. */
export class UnsupportedPatternError extends Error {
  override name = "UnsupportedPatternError";
}

type Part = { re2: string; size: number; factor: number; degree: number; isAnchored?: boolean };

/** RE2 rejects more repetitions. */
const maxRepeat = 1_000;
const maxSize = 5_000;
const maxDepth = 100;

const categories: Readonly<Record<string, string>> = {
  Letter: "L",
  Lowercase_Letter: "Ll",
  Uppercase_Letter: "Lu",
  Mark: "M",
  Number: "N",
  Decimal_Number: "Nd",
  Punctuation: "P",
  Symbol: "S",
  Separator: "Z",
};
const shortCategory = /^(?:L[ulmto]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)$/;

const space =
  "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const notSpace =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const notNewline = "[^\\n\\r\\x{2028}\\x{2029}]";
const controls: Readonly<Record<string, number>> = { f: 12, n: 10, r: 13, t: 9, v: 11, "0": 0 };

/**
 * Parses a pattern that `new RegExp(pattern, "u")` accepts. Throws `UnsupportedPatternError` if RE2 has no equivalent.
 * Omits greediness and capture groups, which do not affect whether a text matches.
 */
export function planPattern(pattern: string): PatternPlan {
  const reader = { characters: Array.from(pattern), at: 0, depth: 0 };
  const { isAnchored = false, ...whole } = readAlternatives(reader);
  if (reader.at < reader.characters.length) throw unsupported();
  // Without an anchor the engine retries at each character.
  return isAnchored ? whole : { ...whole, degree: whole.degree + 1 };
}

type Reader = { characters: string[]; at: number; depth: number };

function unsupported(): UnsupportedPatternError {
  return new UnsupportedPatternError("The pattern cannot be matched in linear time");
}

function readAlternatives(reader: Reader): Part {
  const parts = [readSequence(reader)];
  while (reader.characters[reader.at] === "|") {
    reader.at += 1;
    parts.push(readSequence(reader));
  }
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return bounded({
    re2: parts.map(({ re2 }) => re2).join("|"),
    size: parts.reduce((sum, part) => sum + part.size, parts.length),
    factor: parts.reduce((sum, part) => sum + part.factor, 0),
    degree: Math.max(...parts.map(({ degree }) => degree)),
    isAnchored: parts.every((part) => part.isAnchored === true),
  });
}

function readSequence(reader: Reader): Part {
  let sequence: Part = { re2: "", size: 1, factor: 1, degree: 0 };
  let isFirst = true;
  while (reader.at < reader.characters.length && !/[|)]/.test(reader.characters[reader.at] ?? "")) {
    const part = readQuantifier(reader, readAtom(reader));
    sequence = bounded({
      re2: sequence.re2 + part.re2,
      size: sequence.size + part.size,
      factor: sequence.factor * part.factor,
      degree: sequence.degree + part.degree,
      isAnchored: isFirst ? part.isAnchored === true : sequence.isAnchored === true,
    });
    isFirst = false;
  }
  return sequence;
}

function bounded(part: Part): Part {
  if (part.size > maxSize) throw unsupported();
  return part;
}

function readQuantifier(reader: Reader, atom: Part): Part {
  const rest = reader.characters.slice(reader.at, reader.at + 24).join("");
  const [text, least, comma, most] = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})/.exec(rest) ?? [];
  if (text === undefined) return atom;
  reader.at += text.length;
  if (reader.characters[reader.at] === "?") reader.at += 1;
  const low = least === undefined ? (text === "+" ? 1 : 0) : Number(least);
  const isOpen = text === "*" || text === "+" || (comma !== undefined && most === "");
  const high = isOpen ? low : text === "?" ? 1 : Number(most ?? low);
  if (Math.max(low, high) > maxRepeat) throw unsupported();
  const count = Math.max(1, high);
  const isSimple = atom.factor === 1 && atom.degree === 0;
  return bounded({
    re2: `(?:${atom.re2})${text}`,
    size: atom.size * count + 1,
    // Alternatives multiply with each repetition.
    factor: isSimple
      ? isOpen
        ? 1
        : high - low + 1
      : isOpen
        ? Infinity
        : (high - low + 1) * atom.factor ** count,
    degree: isOpen ? 1 : atom.degree * count,
  });
}

const one = (re2: string): Part => ({ re2, size: 1, factor: 1, degree: 0 });

function readAtom(reader: Reader): Part {
  const character = reader.characters[reader.at] ?? "";
  reader.at += 1;
  switch (character) {
    case "^":
      return { ...one("\\A"), isAnchored: true };
    case "$":
      return one("\\z");
    case ".":
      return one(notNewline);
    case "(":
      return readGroup(reader);
    case "[":
      return one(readClass(reader));
    case "\\":
      return one(readEscape(reader));
    default:
      return one(literal(character));
  }
}

function readGroup(reader: Reader): Part {
  const rest = reader.characters.slice(reader.at, reader.at + 100).join("");
  const opening = /^\?(?::|<[^=!>]+>)/u.exec(rest)?.[0] ?? "";
  if (opening === "" && rest.startsWith("?")) throw unsupported();
  reader.at += Array.from(opening).length;
  reader.depth += 1;
  if (reader.depth > maxDepth) throw unsupported();
  const inner = readAlternatives(reader);
  reader.depth -= 1;
  if (reader.characters[reader.at] !== ")") throw unsupported();
  reader.at += 1;
  return { ...inner, re2: `(?:${inner.re2})` };
}

function literal(character: string): string {
  return codePoint(character.codePointAt(0) ?? 0);
}

function codePoint(code: number): string {
  if (code >= 0xd800 && code <= 0xdfff) throw unsupported();
  const character = String.fromCodePoint(code);
  return /^[a-zA-Z0-9]$/.test(character) ? character : `\\x{${code.toString(16)}}`;
}

/** Parses the escape after a backslash outside of a class. */
function readEscape(reader: Reader): string {
  const character = reader.characters[reader.at] ?? "";
  if (character === "b" || character === "B") {
    reader.at += 1;
    return `\\${character}`;
  }
  if (character === "s" || character === "S") {
    reader.at += 1;
    return `[${character === "s" ? space : notSpace}]`;
  }
  const { set, code } = readClassEscape(reader);
  return set ?? codePoint(code);
}

type Member = { set?: string; code: number };

function readClassEscape(reader: Reader): Member {
  const character = reader.characters[reader.at] ?? "";
  reader.at += 1;
  if (/[dDwW]/.test(character)) return { set: `\\${character}`, code: 0 };
  if (character === "s") return { set: space, code: 0 };
  if (character === "S") return { set: notSpace, code: 0 };
  if (character === "p" || character === "P")
    return { set: readProperty(reader, character), code: 0 };
  if (character === "b") return { code: 8 };
  if (character === "c") {
    reader.at += 1;
    return { code: (reader.characters[reader.at - 1] ?? "").charCodeAt(0) % 32 };
  }
  if (character === "x" || character === "u") return { code: readHex(reader, character) };
  const control = Object.hasOwn(controls, character) ? controls[character] : undefined;
  if (control !== undefined) return { code: control };
  // Digits and `k` are back-references.
  if (/[1-9a-zA-Z]/.test(character)) throw unsupported();
  return { code: character.codePointAt(0) ?? 0 };
}

function readHex(reader: Reader, kind: "x" | "u"): number {
  const rest = reader.characters.slice(reader.at, reader.at + 12).join("");
  const form =
    kind === "x"
      ? /^([0-9a-fA-F]{2})/
      : /^(?:\{([0-9a-fA-F]+)\}|([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|([0-9a-fA-F]{4}))/;
  const found = form.exec(rest);
  if (found === null) throw unsupported();
  reader.at += found[0].length;
  const [, braced, high, low, plain] = found;
  if (high !== undefined && low !== undefined) {
    const pair = [high, low].map((text) => Number.parseInt(text, 16));
    return String.fromCharCode(...pair).codePointAt(0) ?? 0;
  }
  return Number.parseInt(braced ?? plain ?? "", 16);
}

function readProperty(reader: Reader, kind: string): string {
  const rest = reader.characters.slice(reader.at, reader.at + 60).join("");
  const found = /^\{(?:(?:General_Category|gc)=)?([A-Za-z_]+)\}/.exec(rest);
  if (found?.[1] === undefined) throw unsupported();
  const name = categories[found[1]] ?? found[1];
  if (!shortCategory.test(name)) throw unsupported();
  reader.at += found[0].length;
  return `\\${kind}{${name}}`;
}

function readClass(reader: Reader): string {
  const isNegated = reader.characters[reader.at] === "^";
  if (isNegated) reader.at += 1;
  let members = "";
  while (reader.characters[reader.at] !== "]") {
    if (reader.at >= reader.characters.length) throw unsupported();
    const from = readMember(reader);
    const isRange =
      reader.characters[reader.at] === "-" && reader.characters[reader.at + 1] !== "]";
    if (from.set !== undefined || !isRange) {
      members += from.set ?? codePoint(from.code);
      continue;
    }
    reader.at += 1;
    const to = readMember(reader);
    if (to.set !== undefined) throw unsupported();
    members += `${codePoint(from.code)}-${codePoint(to.code)}`;
  }
  reader.at += 1;
  if (members !== "") return `[${isNegated ? "^" : ""}${members}]`;
  if (!isNegated) throw unsupported();
  return "[\\x{0}-\\x{10ffff}]";
}

function readMember(reader: Reader): Member {
  const character = reader.characters[reader.at] ?? "";
  reader.at += 1;
  return character === "\\" ? readClassEscape(reader) : { code: character.codePointAt(0) ?? 0 };
}
