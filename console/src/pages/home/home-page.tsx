import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { Page } from "#components/page";
import { SearchField } from "#components/search-field";
import { handleArrowKeys } from "#lib/arrow-key-navigation";
import { Drafts } from "./drafts.tsx";
import { SearchResults } from "./search-results.tsx";
import { ToolLists } from "./tool-lists.tsx";

const route = getRouteApi("/");

/** The workspace's tools: search as one types, what one is writing, and all there are. */
export function HomePage(): ReactNode {
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  const mayBuild = me?.scopes.includes("tools:write") === true;
  return (
    <Page
      title="Tools"
      actions={
        <>
          <LinkButton to="/catalog">Catalog</LinkButton>
          {mayBuild ? (
            <LinkButton to="/drafts" look="primary">
              <Plus size={16} aria-hidden />
              New tool
            </LinkButton>
          ) : null}
        </>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- What is in it has the focus; this hears its keys. */}
      <div className="grid min-w-0 grid-cols-1 gap-5" onKeyDown={handleArrowKeys}>
        <SearchField
          label="Search tools"
          placeholder="What do you want to do? Press / to search"
          value={q}
          onChange={(text) =>
            void navigate({ search: (before) => ({ ...before, q: text }), replace: true })
          }
          hasShortcut
        />
        {q.trim() === "" ? (
          <>
            {mayBuild ? <Drafts /> : null}
            <ToolLists />
          </>
        ) : (
          <SearchResults query={q.trim()} />
        )}
      </div>
    </Page>
  );
}
