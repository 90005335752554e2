import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { itemQuery, meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { EmptyState, ProblemNote, Skeleton } from "#components/page";
import { ToolRow } from "#components/tool-row";
import { rightsTo } from "#lib/rights";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { useActivity } from "./use-activity.ts";

const maxMatches = 20;

/** The tools that fit some words best. Earlier results stay while new ones come. */
export function SearchResults({ query }: { query: string }): ReactNode {
  const q = useDebouncedValue(query);
  const { data: me } = useQuery(meQuery);
  const activity = useActivity();
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...itemQuery("/skills/search", { query: { q, limit: maxMatches } }),
    placeholderData: keepPreviousData,
  });
  const matches = data?.results[0]?.matches ?? [];
  const isCurrent = !isFetching && q === query;
  const isCut = matches.length === maxMatches;
  const words =
    matches.length === 1
      ? "1 tool found"
      : `${isCut ? `The ${maxMatches} best of the` : matches.length} tools found${isCut ? "" : ", the best first"}`;
  // While the service cannot be reached, what was found is better than nothing.
  if (error !== null && data === undefined) {
    return <ProblemNote error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <p role="status" className="text-sm text-soft">
        {isCurrent ? (matches.length === 0 ? "No tools found" : words) : "Searching…"}
      </p>
      {isPending ? <Skeleton /> : null}
      {matches.length === 0 ? (
        isCurrent ? (
          <NothingFound query={query} mayBuild={me?.scopes.includes("tools:write") === true} />
        ) : null
      ) : (
        <ul
          aria-label="Tools found"
          aria-busy={!isCurrent}
          className="divide-y divide-line rounded-xl border border-line bg-paper"
        >
          {matches.map((tool) => (
            <li key={tool.name}>
              <ToolRow tool={tool} rights={rightsTo(tool, me)} runs={activity.get(tool.name)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function NothingFound({ query, mayBuild }: { query: string; mayBuild: boolean }): ReactNode {
  return (
    <EmptyState
      title="No tool does that yet"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <LinkButton to="/catalog" search={{ q: query }}>
            Look in the catalog
          </LinkButton>
          {mayBuild ? (
            <LinkButton to="/drafts" look="primary">
              New tool
            </LinkButton>
          ) : null}
        </div>
      }
    >
      Nothing here fits “{query}”. Somebody else may share one in the catalog
      {mayBuild ? ", or you make it yourself." : "."}
    </EmptyState>
  );
}
