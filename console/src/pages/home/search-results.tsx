import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { itemQuery, meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { EmptyState, ProblemNote, Skeleton } from "#components/page";
import { ToolRow } from "#components/tool-row";
import { rightsTo } from "#lib/rights";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { MatchReasons } from "./match-reasons.tsx";
import { messages as allMessages } from "./messages.ts";
import { useActivity } from "./use-activity.ts";

const messages = allMessages.results;

const maxMatches = 20;

/** The tools that best match a query. Earlier results stay until new ones arrive. */
export function SearchResults({ query }: { query: string }): ReactNode {
  const q = useDebouncedValue(query);
  const { data: me } = useQuery(meQuery);
  const activity = useActivity();
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...itemQuery("/skills/search", { query: { q, limit: maxMatches, explain: "1" } }),
    placeholderData: keepPreviousData,
  });
  const matches = data?.results[0]?.matches ?? [];
  const isCurrent = !isFetching && q === query;
  const count =
    matches.length === maxMatches ? messages.best(maxMatches) : messages.count(matches.length);
  // While the service is unreachable, earlier results stay.
  if (error !== null && data === undefined) {
    return <ProblemNote error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <p role="status" className="text-sm text-soft">
        {isCurrent ? count : messages.searching}
      </p>
      {isPending ? <Skeleton /> : null}
      {matches.length === 0 ? (
        isCurrent ? (
          <NothingFound query={query} canBuild={me?.scopes.includes("tools:write") === true} />
        ) : null
      ) : (
        <ul
          aria-label={messages.label}
          aria-busy={!isCurrent}
          className="divide-y divide-line rounded-xl border border-line bg-paper"
        >
          {matches.map((tool) => (
            <li key={tool.name}>
              <ToolRow tool={tool} rights={rightsTo(tool, me)} runs={activity.get(tool.name)}>
                <MatchReasons reasons={tool.reasons ?? []} />
              </ToolRow>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function NothingFound({ query, canBuild }: { query: string; canBuild: boolean }): ReactNode {
  return (
    <EmptyState
      title={messages.noneTitle}
      action={
        <LinkButton to="/catalog" search={{ q: query }} look="primary">
          {messages.searchCatalog}
        </LinkButton>
      }
    >
      {canBuild ? messages.noneForBuilder(query) : messages.none(query)}
    </EmptyState>
  );
}
