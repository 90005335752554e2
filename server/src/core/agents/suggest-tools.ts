import type { Caller } from "#core/kernel";
import type { AgentsContext } from "./context.ts";
import { brokerNames } from "./broker-names.ts";
import { getToolList, searchTools } from "#core/catalog";
import { similarity } from "#lib/similarity";

const maxSuggestions = 3;
const maxMatches = 10;
const maxCompared = 200;
const minSimilarity = 0.5;
/** For the prefix of broker tools, which makes unrelated names similar. */
const minBrokerSimilarity = 0.8;
const brokerPrefix = "service_";

/** The message for an unknown tool name, with suggestions. */
export async function suggestTools(
  context: AgentsContext,
  caller: Caller,
  name: string,
): Promise<string> {
  const asked = name.slice(0, 100);
  const unknown = `No tool named ${JSON.stringify(asked)} exists, or you don't have access to it.`;
  const found = caller.scopes.has("mcp:read") ? await find(context, caller, asked) : [];
  const listed = found.map((one) => `"${one}"`).join(", ");
  if (found.length === 0 && asked.startsWith(brokerPrefix)) {
    return `${unknown} The service's own tools are ${brokerNames.join(", ")}.`;
  }
  return found.length === 0
    ? `${unknown} Call service_search_tools with a description of the task, and pass an exact name from its results.`
    : `${unknown} Did you mean ${listed}? Pass a name exactly as service_search_tools returns it.`;
}

/** Finds similar names among the matches of a search by the words of the name, and among the first tools of the list. */
async function find(context: AgentsContext, caller: Caller, asked: string): Promise<string[]> {
  const words = asked.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
  if (words === "") return [];
  const { results } = await searchTools(context, caller, [words], { limit: maxMatches });
  const matches = results.flatMap((result) => result.matches);
  const similar = findSimilar(matches, asked);
  if (similar.length > 0) return similar;
  const page = { limit: maxCompared, after: undefined, text: undefined };
  const { tools } = await getToolList(context, caller, page);
  return findSimilar(tools, asked);
}

/** The most similar names first. A match of a search shares a word with the name, which alone says little. */
function findSimilar(tools: readonly { name: string }[], asked: string): string[] {
  const min = asked.startsWith(brokerPrefix) ? minBrokerSimilarity : minSimilarity;
  return tools
    .map(({ name }) => ({ name, likeness: likenessOf(name, asked.toLowerCase()) }))
    .filter(({ likeness }) => likeness >= min)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, maxSuggestions)
    .map(({ name }) => name);
}

/** Compares with and without the suffix, since agents often leave it out. */
function likenessOf(name: string, asked: string): number {
  const words = name.replace(/_[^_]*$/, "");
  return Math.max(similarity(name, asked), similarity(words, asked));
}
