import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { listQuery, meQuery } from "#api/queries";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { SearchField } from "#components/search-field";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { CatalogRow } from "./catalog-row.tsx";
import { messages } from "./messages.ts";

const route = getRouteApi("/catalog");

/** The public tools of all workspaces on this server, which can be installed here. */
export function CatalogPage(): ReactNode {
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  const text = useDebouncedValue(q.trim());
  const canInstall = me?.scopes.includes("tools:write") === true;
  return (
    <Page title={messages.title} lead={messages.lead}>
      <SearchField
        label={messages.search}
        placeholder={messages.searchPlaceholder}
        value={q}
        onChange={(typed) => void navigate({ search: { q: typed }, replace: true })}
        hasShortcut
      />
      {canInstall ? null : <p className="text-sm text-soft">{messages.buildersInstall}</p>}
      <PagedList
        label={messages.list}
        query={listQuery("/tools", { query: { catalog: "public", q: text } })}
        idOf={({ name }) => name}
        itemHeight={150}
        empty={
          text === "" ? (
            <EmptyState title={messages.emptyTitle}>{messages.empty}</EmptyState>
          ) : (
            <EmptyState title={messages.noMatchTitle}>{messages.noMatch(text)}</EmptyState>
          )
        }
      >
        {(tool) => <CatalogRow tool={tool} canInstall={canInstall} />}
      </PagedList>
    </Page>
  );
}
