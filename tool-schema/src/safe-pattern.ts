const maxPatternLength = 200;
const maxTextLength = 256;
const maxRepetitions = 3;
const maxWays = 5_000_000;

/**
 * Whether a text matches a schema's pattern; undefined where finding out could take for ever. The pattern is
 * somebody else's and runs where nothing can stop it, so only such are tried whose time has a small bound: no
 * repeated groups, no references back, and few ways in which it can match. The server checks the others.
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (pattern.length > maxPatternLength || text.length > maxTextLength) return undefined;
  const plain = pattern.replaceAll(/\\[^\d]/g, "x").replaceAll(/\[(?:[^\]\\]|\\.)*\]/g, "x");
  if (/\)[*+{?]|\\\d|\(\?/.test(plain)) return undefined;
  // Each repetition and each alternative multiplies the ways in which a text can match.
  const repetitions = (plain.match(/[*+]|\{\d+,\d*\}/g) ?? []).length;
  const choices = (plain.match(/\?|\|/g) ?? []).length;
  const starts = plain.startsWith("^") ? 0 : 1;
  const ways = (text.length + 1) ** (repetitions + starts) * 2 ** choices;
  if (repetitions > maxRepetitions || ways > maxWays) return undefined;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}
