import type { Me, Workspace } from "@toolhost/contract";
import { infiniteQueryOptions, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import { get, getPage } from "./client.ts";
import type { Page, Query } from "./client.ts";
import {
  currentWorkspaceId,
  clearCurrentWorkspace,
  setCurrentWorkspace,
} from "./current-workspace.ts";
import { ApiProblem, isPermanentError } from "./problem.ts";

/** What is known of the service. It asks again after an outage, not after a refusal. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        // Whoever is no longer in the workspace, or has another role there, is refused what they were shown before.
        if (queryKey[0] !== "me" && isPermanentError(error)) refetchMe(client);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (count, error) => !isPermanentError(error) && count < 5,
        retryDelay: (count) => Math.min(500 * 2 ** count, 8_000),
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
  return client;
}

/** Not more often than every two seconds: a page may be refused several things at once. */
function refetchMe(client: QueryClient): void {
  const { dataUpdatedAt = 0, errorUpdatedAt = 0 } = client.getQueryState(["me"]) ?? {};
  if (Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt) < 2_000) return;
  void client.invalidateQueries({ queryKey: ["me"] });
}

/** Who is signed in, and in which workspace. */
export const meQuery = queryOptions({ queryKey: ["me"], queryFn: readMe });

/**
 * The tab stays in the workspace of the first answer, even when the person gets more elsewhere. Without a workspace that they
 * chose here and are still in, they begin in the newest of several.
 */
async function readMe(): Promise<Me> {
  const asked = currentWorkspaceId();
  try {
    const me = await get<Me>("/me");
    if (currentWorkspaceId() === undefined) setCurrentWorkspace(me.workspace.id);
    return me;
  } catch (error) {
    const isChoiceNeeded = error instanceof ApiProblem && [400, 404].includes(error.status);
    if (!isChoiceNeeded) throw error;
    const { items } = await getPage<Workspace>("/workspaces", { query: { limit: 1 } });
    const [newest] = items;
    // The person may have chosen one in the meantime.
    if (currentWorkspaceId() === asked) {
      if (newest === undefined) clearCurrentWorkspace();
      else setCurrentWorkspace(newest.id);
    }
    return get<Me>("/me");
  }
}

/** One thing of the REST API. Keys begin with the path's first part, so that a change can name what it made stale. */
export function itemQuery<Item>(path: string, query: Query = {}) {
  return queryOptions({
    queryKey: [...keyOf(path), query],
    queryFn: ({ signal }) => get<Item>(path, { query, signal }),
  });
}

/** A list of the REST API, page by page. */
export function listQuery<Item>(path: string, query: Query = {}) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(path), "pages", query],
    queryFn: ({ signal, pageParam }) =>
      getPage<Item>(path, { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<Item>) => page.next,
  });
}

/** The key of all that was read below a path: `/tools/a_bcde` is `["tools", "a_bcde"]`. */
function keyOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}
