import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ImportItem, ImportResource } from "@toolhost/contract";
import type { Dispatch, ReactNode, SetStateAction } from "react";
import { useState } from "react";
import { listQuery } from "#api/queries";
import type { ListQuery } from "#api/queries";
import { EmptyState } from "#components/page";
import { PagedList } from "#components/paged-list";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { CreateToolsDialog } from "./create-tools-dialog.tsx";
import { ItemFilters } from "./item-filters.tsx";
import { ItemRow } from "./item-row.tsx";
import { itemMessages as messages } from "./messages.ts";
import type { ImportSearch } from "./search.ts";
import { ImportDrafts } from "./import-drafts.tsx";
import { changeSelection, hasAll, isSelectable } from "./selection.ts";
import type { Selection } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { useSelectAll } from "./use-select-all.ts";

const route = getRouteApi("/imports/$importId");

type Props = {
  shown: ImportResource;
  canBuild: boolean;
  selection: Selection;
  setSelection: Dispatch<SetStateAction<Selection>>;
};

/** What the document or server offers. Nothing is selected at first. */
export function ItemsTab({ shown, canBuild, selection, setSelection }: Props): ReactNode {
  const { id, kind } = shown;
  const search = route.useSearch();
  const { q = "", tag, state, method } = search;
  const navigate = route.useNavigate();
  const [publish, setPublish] = useState<boolean>();
  const text = useDebouncedValue(q.trim());
  const query = {
    q: text,
    ...(tag === undefined ? {} : { tag }),
    ...(state === undefined ? {} : { state }),
    ...(method === undefined ? {} : { method }),
  };
  const listed = listQuery("/imports/{id}/items", {
    params: { id },
    query: { ...query, limit: 100 },
  });
  const filter = (change: ImportSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const isFiltered = text !== "" || [tag, state, method].some((one) => one !== undefined);
  const all = useSelectAll(id, query, (items) =>
    setSelection((now) => changeSelection(now, items.filter(isSelectable), true)),
  );
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <ItemFilters shown={shown} search={search} onChange={filter} />
      {canBuild ? (
        <SelectionBar
          selection={selection}
          isSelecting={all.isPending}
          isAllSelected={hasAll(selection, all.complete)}
          selectedFirst={all.rest}
          total={isFiltered ? undefined : shown.itemCount}
          onSelectAll={all.selectAll}
          onClear={() => {
            setSelection(new Map());
            all.clear();
          }}
          onCreate={setPublish}
        />
      ) : null}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <MatchCount query={listed} kind={kind} />
        {canBuild ? <ImportDrafts importId={id} /> : null}
      </div>
      <PagedList
        label={messages.list[kind]}
        query={listed}
        idOf={({ key }) => key}
        itemHeight={84}
        empty={<NoItems kind={kind} isFiltered={isFiltered} />}
      >
        {(item) => (
          <ItemRow
            item={item}
            isSelected={selection.has(item.key)}
            onSelect={
              canBuild
                ? (isSelected) => setSelection((now) => changeSelection(now, [item], isSelected))
                : undefined
            }
            onTag={(name) => filter({ tag: name })}
          />
        )}
      </PagedList>
      {publish === undefined ? null : (
        <CreateToolsDialog
          shown={shown}
          items={[...selection.values()]}
          publish={publish}
          onCreated={(keys) =>
            setSelection((now) => new Map([...now].filter(([key]) => !keys.has(key))))
          }
          onClose={() => setPublish(undefined)}
        />
      )}
    </div>
  );
}

/** How many items match, of which the list loads a part. */
function MatchCount({
  query,
  kind,
}: {
  query: ListQuery<ImportItem>;
  kind: ImportResource["kind"];
}): ReactNode {
  const { data } = useInfiniteQuery({ ...query, placeholderData: keepPreviousData });
  const total = data?.pages[0]?.total;
  return (
    <p role="status" className="min-h-5 text-sm text-soft">
      {total === undefined || total === 0 ? null : messages.total[kind](total)}
    </p>
  );
}

function NoItems({
  kind,
  isFiltered,
}: {
  kind: ImportResource["kind"];
  isFiltered: boolean;
}): ReactNode {
  const { title, body, noMatch, noMatchBody } = messages.empty;
  return isFiltered ? (
    <EmptyState title={noMatch}>{noMatchBody}</EmptyState>
  ) : (
    <EmptyState title={title[kind]}>{body[kind]}</EmptyState>
  );
}
