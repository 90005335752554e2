/**
 * A score is the share of the request's words that a tool matches. Measured by `server/testing/search/pick-rule.ts` on three
 * public data sets, in workspaces of 20, 100 and 400 of their tools: 39, 31 and 16 % of requests have a best match of at least
 * 0.5 and 1.5 times the next, which is right for 100, 100 and 97 % of them. Of the requests that no tool fits, 2, 5 and 3 %
 * have one, which is why a tool is offered and not run.
 */
const clearScore = 0.5;
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
