import type { ReactNode } from "react";
import { useRef } from "react";
import type { ListQuery } from "#api/queries";
import { classes } from "#lib/class-names";
import { useWindow } from "#lib/use-window";
import { Button } from "./button.tsx";
import { ProblemNote, Skeleton } from "./page.tsx";
import { messages } from "./messages.ts";
import { useNextPage, usePagedItems } from "./use-paged-items.tsx";
import type { Items } from "./use-paged-items.tsx";

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

/** A list that renders the items near the window, and loads further pages while the user scrolls. */
export function PagedList<Item>({
  label,
  query,
  idOf,
  children,
  empty,
  itemHeight = 64,
  refreshMs = false,
}: PagedListProps<Item>): ReactNode {
  const found = usePagedItems(query, refreshMs);
  const { items, error, isOld, hasNextPage } = found;
  const listRef = useRef<HTMLUListElement>(null);
  const keys = items.map(idOf);
  const { start, end, before, after } = useWindow({ keys, itemHeight, container: listRef });
  useNextPage(found, end);
  if (found.isPending) return <Skeleton />;
  if (error !== null && items.length === 0)
    return <ProblemNote error={error} onRetry={found.retry} />;
  if (items.length === 0) return empty;
  return (
    <>
      <ul
        ref={listRef}
        aria-label={label}
        aria-busy={isOld}
        className={classes("ui-card", isOld && "opacity-60")}
        style={{ paddingTop: before, paddingBottom: after }}
      >
        {items.slice(start, end).map((item, at) => (
          <li
            key={idOf(item)}
            data-key={idOf(item)}
            aria-setsize={hasNextPage ? -1 : items.length}
            aria-posinset={start + at + 1}
            // The last one is as high as the others: if an item changed its height when it becomes the last, `useWindow` would not settle.
            className="border-b border-line last:border-transparent"
          >
            {children(item)}
          </li>
        ))}
      </ul>
      {hasNextPage ? <MoreButton found={found} /> : null}
    </>
  );
}

/** Loads the next page, for users who do not scroll. */
export function MoreButton({
  found: { isFetchingNextPage, loadMore },
}: {
  found: Pick<Items<unknown>, "isFetchingNextPage" | "loadMore">;
}): ReactNode {
  return (
    <Button isPending={isFetchingNextPage} onPress={loadMore} className="justify-self-center">
      {isFetchingNextPage ? messages.loading : messages.showMore}
    </Button>
  );
}
