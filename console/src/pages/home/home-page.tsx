import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { lazy } from "react";
import { meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { LazyPart } from "#components/lazy-part";
import { Page } from "#components/page";
import { SearchField } from "#components/search-field";
import { handleArrowKeys } from "#lib/arrow-key-navigation";
import { loadChunk } from "#lib/load-chunk";
import { ImportMenu } from "../imports/import-menu.tsx";
import { Drafts } from "./drafts.tsx";
import { messages } from "./messages.ts";
import { SearchResults } from "./search-results.tsx";
import { ToolLists } from "./tool-lists.tsx";
import { UnmetSearches } from "./unmet-searches.tsx";

const route = getRouteApi("/");

// Shown to new users only.
const ChecklistCard = lazy(async () => loadChunk(() => import("./checklist-card.tsx")));

/** The tools of the workspace: search, drafts, and lists by origin. */
export function HomePage(): ReactNode {
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  const canBuild = me?.scopes.includes("tools:write") === true;
  return (
    <Page
      title={messages.title}
      actions={
        canBuild ? (
          <>
            <ImportMenu />
            <LinkButton to="/drafts" look="primary">
              <Plus size={16} aria-hidden />
              {messages.createTool}
            </LinkButton>
          </>
        ) : undefined
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- The focused element is inside; the keys bubble up. */}
      <div className="grid min-w-0 grid-cols-1 gap-5" onKeyDown={handleArrowKeys}>
        <SearchField
          label={messages.search}
          placeholder={messages.searchPlaceholder}
          value={q}
          onChange={(text) =>
            void navigate({ search: (before) => ({ ...before, q: text }), replace: true })
          }
          hasShortcut
        />
        {q.trim() === "" ? (
          <>
            <LazyPart lines={0}>
              <ChecklistCard />
            </LazyPart>
            {canBuild ? <Drafts /> : null}
            {canBuild ? <UnmetSearches /> : null}
            <ToolLists />
          </>
        ) : (
          <SearchResults query={q.trim()} />
        )}
      </div>
    </Page>
  );
}
