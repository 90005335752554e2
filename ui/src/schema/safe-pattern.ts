const longestPattern = 200;
const longestText = 256;

/**
 * Whether a text matches a schema's pattern; undefined where finding out could take for ever. The pattern is
 * somebody else's and runs where nothing can stop it, so only such are tried whose time has a small bound: no
 * repeated groups, no references back, and few repetitions. The server checks the others.
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (pattern.length > longestPattern || text.length > longestText) return undefined;
  const plain = pattern.replaceAll(/\\[^\d]/g, "x").replaceAll(/\[(?:[^\]\\]|\\.)*\]/g, "x");
  if (/\)[*+{]|\\\d|\(\?/.test(plain)) return undefined;
  if ((plain.match(/[*+]|\{\d+,\d*\}/g) ?? []).length > 3) return undefined;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}
