import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useState } from "react";
import { membersQuery, memberName } from "#api/members";
import { listQuery, meQuery } from "#api/queries";
import { Button, LinkButton } from "#components/button";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { RunRow } from "#components/run-row";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { useNow } from "#lib/use-now";
import { queryOf } from "./filters.ts";
import { RunFilters } from "./run-filters.tsx";
import type { RunsSearch } from "./search.ts";

const route = getRouteApi("/runs");
const refreshMs = 2_000;
/** Scrolled by less one still sees the newest. */
const maxScrollTop = 200;

/** Now in whole minutes, as of when the page was last looked at from its top: whoever has scrolled keeps their list. */
function useMinute(): number {
  const minute = Math.floor(useNow().getTime() / 60_000);
  const [shown, setShown] = useState(minute);
  if (shown !== minute && scrollY < maxScrollTop) setShown(minute);
  return shown;
}

/** The runs of the workspace that the person may see, as they happen. */
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
  const minute = useMinute();
  const q = useDebouncedValue(search.q ?? "");
  const query = queryOf({ ...search, q }, minute);
  const isFiltered = Object.values(search).some((value) => (value ?? "") !== "");
  const clear = () => void navigate({ search: {}, replace: true });
  return (
    <Page
      title="Runs"
      lead="What ran, who asked for it, and how it ended. New ones come by themselves."
    >
      <RunFilters search={search} members={members ?? []} onChange={change} />
      <PagedList
        label="Runs"
        query={listQuery("/runs", { query })}
        idOf={({ runId }) => runId}
        refreshMs={refreshMs}
        empty={
          isFiltered ? (
            <EmptyState
              title="No run fits"
              action={<Button onPress={clear}>Clear the filters</Button>}
            >
              Nothing that you may see ran like that.
            </EmptyState>
          ) : (
            <EmptyState
              title="Nothing has run yet"
              action={
                <LinkButton to="/" look="primary">
                  Choose a tool
                </LinkButton>
              }
            >
              Run a tool here, by REST, from an agent or in a chat: each run stands here with its
              input, output, log and what it asked of whom.
            </EmptyState>
          )
        }
      >
        {(run) => <RunRow run={run} who={memberName(members, me, run.userId)} />}
      </PagedList>
    </Page>
  );
}
