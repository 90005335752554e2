import type { Me } from "@toolhost/contract";
import type {
  ApiArguments,
  ApiItem,
  ApiResponse,
  PagedPath,
  PathOf,
  RouteOf,
} from "@toolhost/contract/api";
import {
  infiniteQueryOptions,
  keepPreviousData,
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { api } from "./client.ts";
import {
  clearCurrentWorkspace,
  currentWorkspaceId,
  setCurrentWorkspace,
} from "./current-workspace.ts";
import { expectUser } from "./expected-user.ts";
import { ApiProblem, isPermanentError } from "./problem.ts";
import { fillPath, requestPage, requestRoute } from "./request.ts";
import type { AnyRequest } from "./request.ts";

/** The query client. It retries after an outage, not after a permanent error. */
export function createQueryClient(): QueryClient {
  // By default, a button learns only a task later that its write is pending, when a second press may have been handled.
  notifyManager.setScheduler(queueMicrotask);
  // A rejected request can mean that the user left the workspace or has another role.
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        if (queryKey[0] !== "me" && isPermanentError(error)) refetchMe(client);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        if (isPermanentError(error)) refetchMe(client);
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

/** At most every two seconds, because several requests of a page can fail at once. */
function refetchMe(client: QueryClient): void {
  const { dataUpdatedAt = 0, errorUpdatedAt = 0 } = client.getQueryState(["me"]) ?? {};
  if (Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt) < 2_000) return;
  void client.invalidateQueries({ queryKey: ["me"] });
}

/** The signed-in user and their workspace. */
export const meQuery = queryOptions({ queryKey: ["me"], queryFn: readMe });

/**
 * The tab stays in its first workspace. Without a selected workspace that the user is still in, it selects the oldest, which is
 * the one that a sign-up created or an invitation was for.
 */
async function readMe(): Promise<Me> {
  const me = await readMeOfWorkspace();
  expectUser(me.user.id);
  return me;
}

async function readMeOfWorkspace(): Promise<Me> {
  if (currentWorkspaceId() === undefined) {
    await selectOldestWorkspace();
    return api.get("/me");
  }
  try {
    return await api.get("/me");
  } catch (error) {
    const isChoiceNeeded = error instanceof ApiProblem && [400, 404].includes(error.status);
    if (!isChoiceNeeded) throw error;
    await selectOldestWorkspace();
    return api.get("/me");
  }
}

/** Without a selection, `GET /me` returns 400 for a member of several workspaces. */
async function selectOldestWorkspace(): Promise<void> {
  const before = currentWorkspaceId();
  const { items } = await api.getPage("/workspaces", { query: { limit: 200 } });
  const oldest = items.at(-1);
  // The user may have selected one in the meantime.
  if (currentWorkspaceId() !== before) return;
  if (oldest === undefined) clearCurrentWorkspace();
  else setCurrentWorkspace(oldest.id);
}

/** A resource of the REST API. Query keys start with the path, so that a write can invalidate everything below one. */
export function itemQuery<Path extends PathOf<"GET">>(
  path: Path,
  ...[request]: ApiArguments<RouteOf<"GET", Path>>
) {
  const { params, query = {} }: AnyRequest = request ?? {};
  return queryOptions({
    queryKey: [...fillPath(path, params), query],
    queryFn: async ({ signal }) => {
      const response = await requestRoute(`GET ${path}`, { params, query, signal });
      return (await response.json()) as ApiResponse<RouteOf<"GET", Path>>;
    },
  });
}

const maxPageSize = 200;

/** All items of a paginated list, for what has to consider each of them. */
export function allItemsQuery<Path extends PagedPath>(
  path: Path,
  ...[request]: ApiArguments<RouteOf<"GET", Path>>
) {
  const { params, query = {} }: AnyRequest = request ?? {};
  return queryOptions({
    queryKey: [...fillPath(path, params), "all", query],
    queryFn: async ({ signal }) => {
      const all: ApiItem<Path>[] = [];
      let cursor: string | undefined;
      do {
        const page = await requestPage<ApiItem<Path>>(path, {
          params,
          query: { ...query, limit: maxPageSize, cursor },
          signal,
        });
        all.push(...page.items);
        cursor = page.next;
      } while (cursor !== undefined);
      return all;
    },
  });
}

/** A paginated list of the REST API. */
export function listQuery<Path extends PagedPath>(
  path: Path,
  ...[request]: ApiArguments<RouteOf<"GET", Path>>
): ListQuery<ApiItem<Path>> {
  return pagesQuery(path, request);
}

const totalRefreshMs = 30_000;

/** The number of all items of a list, which the service counts up to a limit. Null if it does not count them. */
export function totalQuery(path: "/runs" | "/audit-events", query: AnyRequest["query"] = {}) {
  return queryOptions({
    queryKey: [...fillPath(path), "total", query],
    queryFn: async ({ signal }) => {
      const request = { query: { ...query, total: "true", limit: 1 }, signal };
      const { total, isTotalExact = true } = await requestPage(path, request);
      return total === undefined ? null : { count: total, isExact: isTotalExact };
    },
    refetchInterval: totalRefreshMs,
    placeholderData: keepPreviousData,
  });
}

/** The query of a list of such items. */
export type ListQuery<Item> = ReturnType<typeof pagesQuery<Item>>;

function pagesQuery<Item>(path: string, { params, query = {} }: AnyRequest = {}) {
  return infiniteQueryOptions({
    queryKey: [...fillPath(path, params), "pages", query],
    queryFn: ({ signal, pageParam }) =>
      requestPage<Item>(path, { params, query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });
}
