import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import type { ListQuery } from "#api/queries";
import { classes } from "#lib/class-names";
import { Button } from "./button.tsx";
import { ProblemNote, Skeleton } from "./page.tsx";
import { messages } from "./messages.ts";

type PagedListProps<Item> = {
  /** The accessible name. */
  label: string;
  query: ListQuery<Item>;
  idOf: (item: Item) => string;
  children: (item: Item) => ReactNode;
  /** Shown in place of an empty list. */
  empty: ReactNode;
  /** The estimated height of an item, in pixels. */
  itemHeight?: number;
  /** How often to refetch while the page is visible. */
  refreshMs?: number | false;
};

/** A virtualized list that loads further pages while the user scrolls. */
export function PagedList<Item>({
  label,
  query,
  idOf,
  children,
  empty,
  itemHeight = 64,
  refreshMs = false,
}: PagedListProps<Item>): ReactNode {
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
  const listRef = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useEffect(() => setTop(listRef.current?.offsetTop ?? 0), [items.length]);
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => itemHeight,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : idOf(item);
    },
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= items.length - 5) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, last, items.length, fetchNextPage]);

  if (isPending) return <Skeleton />;
  if (error !== null && items.length === 0)
    return <ProblemNote error={error} onRetry={() => void refetch()} />;
  // A page can be empty and still have a next one.
  if (items.length === 0 && hasNextPage) return <Skeleton />;
  if (items.length === 0) return empty;
  return (
    <>
      <ul
        ref={listRef}
        aria-label={label}
        aria-busy={isOld}
        className={classes("ui-card relative w-full", isOld && "opacity-60")}
        style={{ height: virtualizer.getTotalSize() + 2 }}
      >
        {rows.map(({ index, key, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={hasNextPage ? -1 : items.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 border-b border-line last:border-b-0 hover:z-1 focus-within:z-1"
              style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
            >
              {children(item)}
            </li>
          );
        })}
      </ul>
      {hasNextPage ? (
        <Button
          isPending={isFetchingNextPage}
          onPress={() => void fetchNextPage()}
          className="justify-self-center"
        >
          {isFetchingNextPage ? messages.loading : messages.showMore}
        </Button>
      ) : null}
    </>
  );
}
