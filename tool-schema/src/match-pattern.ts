const maxPatternLength = 200;
const maxTextLength = 256;
const maxRepetitions = 3;
const maxWays = 5_000_000;

/**
 * Whether text matches a schema's pattern; undefined when matching could take exponential time. The pattern is untrusted
 * and a browser cannot interrupt it, so only patterns with a small upper bound on their matching time are run: no repeated
 * groups, no back-references, and few possible ways to match. The server checks the others.
 */
export function matchesPattern(
  pattern: string,
  text: string,
  maxLength = maxTextLength,
): boolean | undefined {
  if (pattern.length > maxPatternLength || text.length > maxLength) return undefined;
  const simplified = pattern.replaceAll(/\\[^\d]/g, "x").replaceAll(/\[(?:[^\]\\]|\\.)*\]/g, "x");
  if (/\)[*+{?]|\\\d|\(\?/.test(simplified)) return undefined;
  // Each repetition and each alternative multiplies the number of ways in which the text can match.
  const repetitions = (simplified.match(/[*+]|\{\d+,\d*\}/g) ?? []).length;
  const choices = (simplified.match(/\?|\|/g) ?? []).length;
  const starts = simplified.startsWith("^") ? 0 : 1;
  const ways = (text.length + 1) ** (repetitions + starts) * 2 ** choices;
  if (repetitions > maxRepetitions || ways > maxWays) return undefined;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}
