import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ToolSummary } from "@toolhost/contract";
import { Star } from "lucide-react";
import type { ReactNode } from "react";
import { lazy, useState } from "react";
import { memberName, membersQuery } from "#api/members";
import { listQuery, meQuery } from "#api/queries";
import { Button, IconButton } from "#components/button";
import { LazyPart } from "#components/lazy-part";
import { EmptyState } from "#components/page";
import { PagedList } from "#components/paged-list";
import { ToolRow } from "#components/tool-row";
import { loadChunk } from "#lib/load-chunk";
import { rightsTo } from "#lib/rights";
import { messages as allMessages } from "./messages.ts";
import { ListFilters } from "./list-filters.tsx";
import { filtersOf, queryOf } from "./search.ts";
import type { HomeSearch } from "./search.ts";
import { ToolFactsLine } from "./tool-facts-line.tsx";
import { useActivity } from "./use-activity.ts";
import { usePreferences } from "#components/use-preferences";

const messages = allMessages.lists;
const route = getRouteApi("/");

const SelectionBar = lazy(async () => loadChunk(() => import("./selection-bar.tsx")));

/** The tools of one origin with facts, filtered and sorted by the address. Several can be selected. */
export function ToolList({
  search,
  label,
  empty,
}: {
  search: HomeSearch;
  label: string;
  empty: ReactNode;
}): ReactNode {
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  const activity = useActivity();
  const [selected, setSelected] = useState<ReadonlyMap<string, ToolSummary>>();
  const canBuild = me?.scopes.includes("tools:write") === true;
  const toggle = (tool: ToolSummary) => {
    const next = new Map(selected);
    if (!next.delete(tool.name)) next.set(tool.name, tool);
    setSelected(next);
  };
  const { show: _, ...filters } = filtersOf(search);
  const clear = () => void navigate({ search: { q: search.q, show: search.show }, replace: true });
  return (
    <>
      <div className="mb-3 flex items-start justify-between gap-2">
        <ListFilters />
        {canBuild ? (
          <Button onPress={() => setSelected(selected === undefined ? new Map() : undefined)}>
            {selected === undefined ? messages.select : messages.endSelection}
          </Button>
        ) : null}
      </div>
      {selected === undefined ? null : (
        <LazyPart lines={1}>
          <SelectionBar
            tools={[...selected.values()]}
            me={me}
            onDone={() => setSelected(undefined)}
          />
        </LazyPart>
      )}
      <PagedList
        label={label}
        query={listQuery("/tools/summaries", { query: queryOf(search) })}
        idOf={({ name }) => name}
        itemHeight={89}
        empty={
          Object.keys(filters).length === 0 ? (
            empty
          ) : (
            <EmptyState
              title={allMessages.filters.noMatch}
              action={<Button onPress={clear}>{allMessages.filters.clear}</Button>}
            >
              {allMessages.filters.noMatchBody}
            </EmptyState>
          )
        }
      >
        {(tool) => (
          <div className="flex items-center">
            {selected === undefined ? null : (
              <input
                type="checkbox"
                aria-label={messages.selectNamed(tool.title)}
                checked={selected.has(tool.name)}
                onChange={() => toggle(tool)}
                className="ui-mark ml-4"
              />
            )}
            <div className="min-w-0 flex-1">
              <ToolRow
                tool={tool}
                rights={rightsTo(tool, me)}
                runs={activity.get(tool.name)}
                actions={<FavoriteButton tool={tool} />}
              >
                <ToolFactsLine
                  tool={tool}
                  ownerName={memberName(members, me, tool.ownerId ?? "")}
                />
              </ToolRow>
            </div>
          </div>
        )}
      </PagedList>
    </>
  );
}

const maxFavorites = 200;

function FavoriteButton({ tool: { name, title } }: { tool: ToolSummary }): ReactNode {
  const { preferences, change } = usePreferences();
  const favorites = preferences?.favorites ?? [];
  const isFavorite = favorites.includes(name);
  return (
    <IconButton
      label={isFavorite ? messages.removeFavorite(title) : messages.addFavorite(title)}
      onPress={() =>
        change((latest) => {
          const others = latest.favorites.filter((one) => one !== name);
          return { favorites: isFavorite ? others : [name, ...others].slice(0, maxFavorites) };
        })
      }
    >
      <Star size={16} aria-hidden fill={isFavorite ? "currentColor" : "none"} />
    </IconButton>
  );
}
