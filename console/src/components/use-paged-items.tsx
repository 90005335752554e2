import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ListQuery } from "#api/queries";

/** What a list or table shows of its items, and how to load more. */
export type Items<Item> = {
  items: readonly Item[];
  error: Error | null;
  /** Whether these are the items of the previous filters. */
  isOld: boolean;
  isPending: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  loadMore: () => void;
  retry: () => void;
};

/** The loaded pages of a list. */
export function usePagedItems<Item>(
  query: ListQuery<Item>,
  refreshMs: number | false = false,
): Items<Item> {
  const found = useInfiniteQuery({
    ...query,
    // The previous results stay until the new ones arrive, so that the list doesn't flicker while the user types.
    placeholderData: keepPreviousData,
    // A refetch reloads every loaded page, so it gets rarer with more pages.
    refetchInterval: ({ state }) =>
      refreshMs === false ? false : refreshMs * Math.max(1, state.data?.pages.length ?? 1),
  });
  const { data, error, isPending, isFetchingNextPage, fetchNextPage, refetch } = found;
  const isOld = found.isPlaceholderData;
  const hasNextPage = found.hasNextPage && !isOld;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  return {
    items,
    error,
    isOld,
    hasNextPage,
    // A page can be empty and still have a next one.
    isPending: isPending || (items.length === 0 && hasNextPage && error === null),
    isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  };
}

/** The items of a list that is short enough to be loaded whole. */
export function itemsOf<Item>({
  data,
  error,
  isPending,
  refetch,
}: UseQueryResult<Item[]>): Items<Item> {
  return {
    items: data ?? [],
    error,
    isOld: false,
    isPending,
    hasNextPage: false,
    isFetchingNextPage: false,
    loadMore: () => undefined,
    retry: () => void refetch(),
  };
}

/** Loads the next page before the user reaches the end of the loaded ones. */
export function useNextPage(
  { items, hasNextPage, isFetchingNextPage, loadMore }: Items<unknown>,
  end: number,
): void {
  const isDue = hasNextPage && !isFetchingNextPage && end >= items.length - 5;
  useEffect(() => {
    if (isDue) loadMore();
  });
}
