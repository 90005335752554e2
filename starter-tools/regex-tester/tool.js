/**
 * @typedef {{ text: string, pattern: string, flags?: string, replacement?: string }} Input
 * @typedef {{ match: string, index: number, groups: (string | null)[], named: Record<string, string> }} Match
 * @typedef {{ matched: boolean, count: number, matches: Match[], replaced?: string }} Output
 */

const maxListed = 500;

/**
 * Runs a JavaScript regular expression over a text, and replaces its matches if a replacement is given.
 * The tool's time limit stops patterns with catastrophic backtracking.
 * @param {Input} input
 * @returns {Promise<Output>}
 */
export default async function regexTester(input) {
  const { text, pattern, flags = "g", replacement } = input;
  const expression = compile(pattern, flags);
  // matchAll requires the g flag. Without it, only the first match is returned.
  const found = expression.global ? [...text.matchAll(expression)] : firstMatch(text, expression);
  return {
    matched: found.length > 0,
    count: found.length,
    matches: found.slice(0, maxListed).map(describe),
    ...(replacement === undefined ? {} : { replaced: text.replace(expression, replacement) }),
  };
}

/**
 * @param {string} pattern
 * @param {string} flags
 */
function compile(pattern, flags) {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${reason}. Pass the pattern without slashes, and flags of d, g, i, m, s, u, v and y, each once.`,
      { cause: error },
    );
  }
}

/**
 * @param {string} text
 * @param {RegExp} expression
 */
function firstMatch(text, expression) {
  const match = expression.exec(text);
  return match === null ? [] : [match];
}

/**
 * @param {RegExpExecArray} found
 * @returns {Match}
 */
function describe(found) {
  const [match, ...groups] = found;
  return {
    match,
    index: found.index,
    // Unmatched groups are undefined, which JSON drops in objects but converts to null in arrays.
    groups: groups.map((group) => group ?? null),
    named: { ...found.groups },
  };
}
