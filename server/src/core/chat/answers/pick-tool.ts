/**
 * A score is the share of the request's words that a tool matches. Measured by `server/testing/search/pick-rule.ts` on three
 * public data sets, in workspaces of 20, 100 and 400 of their tools: 41, 33 and 19 % of requests have a best match of at least
 * 0.45 and 1.5 times the next, which is right for 100, 99.5 and 97 % of them. So do 3, 6 and 4 % of requests that no tool
 * fits, which is why a tool is offered and not run.
 */
const clearScore = 0.45;
const clearLead = 1.5;

/** How many tools are offered when none is clear. */
export const maxOffered = 3;

type Scored = { score: number };

/** The tool that a request clearly means. Whether to run it is another matter. */
export function pickTool<Match extends Scored>(matches: readonly Match[]): Match | undefined {
  const [best, next] = matches;
  if (best === undefined || best.score < clearScore) return undefined;
  return next === undefined || best.score >= clearLead * next.score ? best : undefined;
}
