import type { Caller } from "#core/access";
import type { Context } from "#core/context";
import { searchTools } from "#core/tools";

const mostSuggestions = 3;

/** Says that a name is unknown, and which tools may have been meant. */
export async function suggestTools(
  context: Context,
  caller: Caller,
  name: string,
): Promise<string> {
  const asked = name.slice(0, 100);
  const unknown = `There is no tool named ${JSON.stringify(asked)} that you may use.`;
  const words = asked.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
  const found =
    caller.scopes.has("mcp:read") && words !== "" ? await find(context, caller, words) : [];
  const listed = found.map((one) => `"${one}"`).join(", ");
  return found.length === 0
    ? `${unknown} Call service_search_tools with what the tool should do, and pass a name from its result exactly.`
    : `${unknown} Did you mean ${listed}? Pass a name exactly as service_search_tools gives it.`;
}

async function find(context: Context, caller: Caller, words: string): Promise<string[]> {
  const { results } = await searchTools(context, caller, [words], mostSuggestions);
  return results.flatMap(({ matches }) => matches.map(({ name }) => name));
}
