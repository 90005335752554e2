import type { Client, Tool } from "../index.ts";

/** Which tools an agent gets: those with the names, or the best matches of a search. */
export type ToolSelection = readonly string[] | { search: string; limit?: number };

/** The parts of a client that adapters use. */
export type ToolClient = Pick<Client, "run" | "tools">;

/** Finds the tools of a selection. Throws `ApiError` with `tool_not_found` for a name that you may not run. */
export function selectTools(client: ToolClient, selection: ToolSelection): Promise<Tool[]> {
  return "search" in selection
    ? client.tools.search(selection.search, { limit: selection.limit })
    : Promise.all(selection.map((name) => client.tools.get(name)));
}
