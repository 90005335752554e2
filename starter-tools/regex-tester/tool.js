/**
 * @typedef {{ text: string, pattern: string, flags?: string, replacement?: string }} Input
 * @typedef {{ match: string, index: number, groups: (string | null)[], named: Record<string, string> }} Match
 * @typedef {{ matched: boolean, count: number, matches: Match[], replaced?: string }} Output
 */

const maxListed = 500;

/**
 * Runs a JavaScript regular expression over a text, and replaces its matches if asked to.
 * A pattern that backtracks without end is stopped by the tool's time limit.
 * @param {Input} input
 * @returns {Promise<Output>}
 */
export default async function regexTester(input) {
  const { text, pattern, flags = "g", replacement } = input;
  const expression = compile(pattern, flags);
  // matchAll wants the g flag; without it, the first match is what the author asked for.
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
    // A group that took no part is undefined, which JSON would drop or turn into null unevenly.
    groups: groups.map((group) => group ?? null),
    named: { ...found.groups },
  };
}
