import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { EmptyState } from "#components/page";
import { Tabs } from "#components/tabs";
import { lazyPage } from "#lib/lazy-page";
import { messages as allMessages } from "./messages.ts";
import type { HomeSearch } from "./search.ts";
import { ToolList } from "./tool-list.tsx";

const route = getRouteApi("/");

const messages = allMessages.lists;
const ArchivedTools = lazyPage(() => import("./archived-tools.tsx"), "ArchivedTools");

type Shown = "all" | NonNullable<HomeSearch["show"]>;

const { labels, empty } = messages;
const kinds = ["all", "favorites", "recent", "mine", "shared", "installed"] as const;

/** All tools that the user can use, or those of one origin. */
export function ToolLists(): ReactNode {
  const search = route.useSearch();
  const { show } = search;
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  const canBuild = me?.scopes.includes("tools:write") === true;
  const shown: readonly Shown[] = canBuild ? [...kinds, "archived"] : kinds;
  return (
    <Tabs
      label={messages.label}
      selected={show === undefined || (show === "archived" && !canBuild) ? "all" : show}
      onSelect={(kind) =>
        void navigate({
          search: (before) => ({ ...before, show: kind === "all" ? undefined : kind }),
          replace: true,
        })
      }
      tabs={shown.map((kind) => ({
        id: kind,
        label: labels[kind],
        preload: kind === "archived" ? ArchivedTools.preload : undefined,
        content:
          kind === "archived" ? (
            <ArchivedTools />
          ) : (
            <ToolList
              search={search}
              label={messages.listLabel(labels[kind])}
              empty={<NoTools kind={kind} canBuild={canBuild} />}
            />
          ),
      }))}
    />
  );
}

function NoTools({
  kind,
  canBuild,
}: {
  kind: (typeof kinds)[number];
  canBuild: boolean;
}): ReactNode {
  const catalog = <LinkButton to="/catalog">{messages.browseCatalog}</LinkButton>;
  switch (kind) {
    case "all":
      return (
        <EmptyState title={empty.all.title} action={catalog}>
          {empty.all.body} {canBuild ? empty.all.builder : empty.all.runner}
        </EmptyState>
      );
    case "favorites":
      return <EmptyState title={empty.favorites.title}>{empty.favorites.body}</EmptyState>;
    case "recent":
      return <EmptyState title={empty.recent.title}>{empty.recent.body}</EmptyState>;
    case "mine":
      return (
        <EmptyState title={empty.mine.title}>
          {canBuild ? empty.mine.builder : empty.mine.runner}
        </EmptyState>
      );
    case "shared":
      return <EmptyState title={empty.shared.title}>{empty.shared.body}</EmptyState>;
    case "installed":
      return (
        <EmptyState title={empty.installed.title} action={catalog}>
          {empty.installed.body}
        </EmptyState>
      );
  }
}
