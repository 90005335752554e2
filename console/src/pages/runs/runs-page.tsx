import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useState } from "react";
import { membersQuery, memberName } from "#api/members";
import { listQuery, meQuery, totalQuery } from "#api/queries";
import { Button, LinkButton } from "#components/button";
import { EmptyState, Page } from "#components/page";
import { DataTable } from "#components/data-table";
import { runColumns } from "#components/run-columns";
import { usePagedItems } from "#components/use-paged-items";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { useNow } from "#lib/use-now";
import { queryOf } from "./filters.ts";
import { messages } from "./messages.ts";
import { RunFilters } from "./run-filters.tsx";
import type { RunsSearch } from "./search.ts";

const route = getRouteApi("/runs");
const refreshMs = 2_000;
/** Up to this scroll position the newest runs are visible. */
const maxScrollTop = 200;

/** The current minute. It stays unchanged while the user has scrolled down, so that the list does not move. */
function useMinute(): number {
  const minute = Math.floor(useNow().getTime() / 60_000);
  const [shown, setShown] = useState(minute);
  if (shown !== minute && scrollY < maxScrollTop) setShown(minute);
  return shown;
}

/** The runs of the workspace that the user can see, updated live. */
export function RunsPage(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: RunsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  const canRun = me?.scopes.includes("mcp:execute") === true;
  const minute = useMinute();
  const q = useDebouncedValue(search.q ?? "");
  const query = queryOf({ ...search, q }, minute);
  const found = usePagedItems(listQuery("/runs", { query }), refreshMs);
  const { sort, ...filters } = query;
  const { data: total } = useQuery(totalQuery("/runs", filters));
  const isFiltered = Object.entries(search).some(([name, value]) => name !== "sort" && value);
  const clear = () => void navigate({ search: {}, replace: true });
  const others = (members ?? []).filter(({ userId }) => userId !== me?.user.id);
  return (
    <Page title={messages.title} lead={messages.lead}>
      <RunFilters
        search={search}
        others={others}
        onChange={change}
        onReplace={(all) => void navigate({ search: all as RunsSearch, replace: true })}
      />
      <DataTable
        id="runs"
        label={messages.title}
        columns={runColumns((userId) => memberName(members, me, userId))}
        noun={messages.noun}
        found={found}
        idOf={({ runId }) => runId}
        total={total ?? undefined}
        sortable={["time"]}
        sorting={{ column: "time", isDescending: sort !== "oldest" }}
        onSort={({ isDescending }) => change({ sort: isDescending ? undefined : "oldest" })}
        empty={
          isFiltered ? (
            <EmptyState
              title={messages.noMatchTitle}
              action={<Button onPress={clear}>{messages.clearFilters}</Button>}
            >
              {messages.noMatch}
            </EmptyState>
          ) : (
            <EmptyState
              title={messages.emptyTitle}
              action={
                canRun ? (
                  <LinkButton to="/" look="primary">
                    {messages.chooseTool}
                  </LinkButton>
                ) : undefined
              }
            >
              {canRun ? messages.empty : messages.emptyForViewer}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
