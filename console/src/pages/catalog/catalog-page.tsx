import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { listQuery, meQuery } from "#api/queries";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { SearchField } from "#components/search-field";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { CatalogRow } from "./catalog-row.tsx";

const route = getRouteApi("/catalog");

/** What all workspaces of this server make public, and how it gets into this one. */
export function CatalogPage(): ReactNode {
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  const text = useDebouncedValue(q.trim());
  const mayInstall = me?.scopes.includes("tools:write") === true;
  return (
    <Page
      title="Catalog"
      lead="Tools that people of this server make public. An installed tool runs in this workspace with its credentials, and stays on its version until you accept an update."
    >
      <SearchField
        label="Search the catalog"
        placeholder="Search by name or description. Press / to search"
        value={q}
        onChange={(typed) => void navigate({ search: { q: typed }, replace: true })}
        hasShortcut
      />
      {mayInstall ? null : (
        <p className="text-sm text-soft">Builders and admins of this workspace install tools.</p>
      )}
      <PagedList
        label="Public tools"
        query={listQuery("/tools", { query: { catalog: "public", q: text } })}
        idOf={({ name }) => name}
        itemHeight={150}
        empty={
          text === "" ? (
            <EmptyState title="The catalog is empty">
              When somebody makes a tool public, on its page under Sharing, it stands here for every
              workspace.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing found">
              No public tool has “{text}” in its name, title or description.
            </EmptyState>
          )
        }
      >
        {(tool) => <CatalogRow tool={tool} mayInstall={mayInstall} />}
      </PagedList>
    </Page>
  );
}
