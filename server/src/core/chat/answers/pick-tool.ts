/**
 * A score says how many of the request's words a tool matches. Measured on three public sets, in workspaces of 20, 100
 * and 400 of their tools: 66 % of requests have a best match of at least 0.3 and 1.4 times the next, and it is the
 * right one for 98.7 % of those; 1.7 % of requests that no tool is for have one.
 */
const clearScore = 0.3;
const clearLead = 1.4;

/** How many tools are offered where none is clear. */
export const maxOffered = 3;

type Scored = { score: number };

/** The tool that a request most likely means, if its words say so clearly. They say nothing of whether to run it. */
export function pickTool<Match extends Scored>(matches: readonly Match[]): Match | undefined {
  const [best, next] = matches;
  if (best === undefined || best.score < clearScore) return undefined;
  return next === undefined || best.score >= clearLead * next.score ? best : undefined;
}
