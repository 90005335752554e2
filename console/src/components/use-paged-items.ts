import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ListQuery } from "#api/queries";

/** The loaded pages of a list, and how to load more. */
export function usePagedItems<Item>(query: ListQuery<Item>, refreshMs: number | false) {
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

/** Loads the next page before the user reaches the end of the loaded ones. */
export function useNextPage(
  { items, hasNextPage, isFetchingNextPage, loadMore }: ReturnType<typeof usePagedItems>,
  end: number,
): void {
  const isDue = hasNextPage && !isFetchingNextPage && end >= items.length - 5;
  useEffect(() => {
    if (isDue) loadMore();
  });
}
