import type { QueryClient } from "@tanstack/react-query";
import { currentWorkspaceId } from "#api/current-workspace";
import { itemQuery, listQuery } from "#api/queries";
import { queryOf, validateHomeSearch } from "./search.ts";

/** On a first load of home, requests what its list shows while the code of the page is still loading. */
export function prefetchHome(client: QueryClient): void {
  if (location.pathname !== "/" || currentWorkspaceId() === undefined) return;
  const search = validateHomeSearch(Object.fromEntries(new URLSearchParams(location.search)));
  if (search.show === "archived" || (search.q ?? "").trim() !== "") return;
  void client.prefetchInfiniteQuery(listQuery("/tools/summaries", { query: queryOf(search) }));
  for (const path of ["/preferences", "/tool-activity", "/tags"] as const)
    void client.prefetchQuery(itemQuery(path));
}
