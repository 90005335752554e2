import type { JsonObject, SearchResults, ToolMatch } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { estimateTokens } from "#lib/estimate-tokens";
import { yieldToEventLoop } from "#lib/event-loop";
import type { AgentsContext } from "./context.ts";
import { isClearlyAhead } from "./clear-match.ts";
import { createToolPresenter } from "./show-tools.ts";
import type { Detail } from "./show-tools.ts";

type Found = SearchResults["results"];

/** An answer takes up the context of an agent. Below 2,000, because tokens are estimated. */
export const maxTokens = 1_800;
/** For the matches after the best one, if there is only one query. */
const maxTokensOfOne = 1_050;
const maxAskedTokens = 100_000;
/** A tool that takes more is outlined, so that no author can fill the answer alone. */
const maxTokensOfTool = 4_000;
/** Reserved for the best match of each further query. */
const reservedTokens = 100;
/** Of all queries together; longer ones are cut in the answer. */
const maxQueryCharacters = 400;

type Shown = { query: string; matches: JsonObject[]; seeAbove: string[]; more: string[] };

/** An answer in the making. */
type Draft = {
  present: (match: ToolMatch, detail: Detail) => JsonObject;
  results: Shown[];
  known: Set<string>;
  max: number;
  used: number;
  isOutlined: boolean;
};

/**
 * Presents each tool once, the best match of each query first, as long as there are tokens left: what does not fit is
 * outlined or only named. `isAsked` when the agent has chosen the number of matches.
 */
export async function showMatches(
  context: AgentsContext,
  caller: Caller,
  found: Found,
  isAsked: boolean,
): Promise<{ results: JsonObject[]; isOutlined: boolean }> {
  const tools = found.flatMap(({ matches }) => matches);
  const results = found.map(({ query }) => emptyResult(query, maxQueryCharacters / found.length));
  const draft: Draft = {
    present: await createToolPresenter(context, caller, tools),
    results,
    known: new Set(),
    max: isAsked ? maxAskedTokens : maxTokens,
    used: estimateTokens(JSON.stringify(results)),
    isOutlined: false,
  };
  for (const [index, result] of results.entries()) {
    const [best] = found[index]?.matches ?? [];
    const reserved = (results.length - 1 - index) * reservedTokens;
    if (best === undefined || add(draft, result, best, { detail: "best", reserved })) continue;
    if (!outline(draft, result, best)) name(draft, result.more, best);
    await yieldToEventLoop();
  }
  const reserved = isAsked || found.length > 1 ? 0 : maxTokens - maxTokensOfOne;
  for (const [index, result] of results.entries()) {
    const { matches = [] } = found[index] ?? {};
    const isAlone = !isAsked && isClearlyAhead(matches);
    const detail = isAsked ? "best" : "other";
    for (const match of matches.slice(1)) {
      const isShown =
        (!isAlone && add(draft, result, match, { detail, reserved })) ||
        (isAsked && outline(draft, result, match));
      if (!isShown) name(draft, result.more, match);
      await yieldToEventLoop();
    }
  }
  return { results: results.map(withoutEmpty), isOutlined: draft.isOutlined };
}

function emptyResult(query: string, maxCharacters: number): Shown {
  const isLong = query.length > maxCharacters;
  const shown = isLong ? `${query.slice(0, maxCharacters).toWellFormed()}…` : query;
  return { query: shown, matches: [], seeAbove: [], more: [] };
}

/** Returns whether the match is part of the answer now. */
function add(
  draft: Draft,
  result: Shown,
  match: ToolMatch,
  { detail, reserved }: { detail: Detail; reserved: number },
): boolean {
  if (draft.known.has(match.name)) {
    name(draft, result.seeAbove, match);
    return true;
  }
  const score = Math.round(match.score * 100) / 100;
  const tool = { ...draft.present(match, detail), score };
  const left = Math.min(maxTokensOfTool, draft.max - reserved - draft.used);
  const size = estimateTokens(JSON.stringify(tool), Math.max(0, left));
  if (size > left) return false;
  result.matches.push(tool);
  draft.known.add(match.name);
  draft.used += size;
  return true;
}

/** Returns whether the outline of a match is part of the answer now. */
function outline(draft: Draft, result: Shown, match: ToolMatch): boolean {
  const isAdded = add(draft, result, match, { detail: "outline", reserved: 0 });
  draft.isOutlined ||= isAdded;
  return isAdded;
}

/** Names a match, unless even names do not fit. */
function name(draft: Draft, names: string[], match: ToolMatch): void {
  const size = estimateTokens(match.name) + 1;
  if (draft.used + size > draft.max) return;
  names.push(match.name);
  draft.used += size;
}

function withoutEmpty({ query, matches, seeAbove, more }: Shown): JsonObject {
  return {
    query,
    matches,
    ...(seeAbove.length === 0 ? {} : { seeAbove }),
    ...(more.length === 0 ? {} : { more }),
  };
}
