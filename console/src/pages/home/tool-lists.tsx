import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ToolOrigin } from "@toolhost/contract";
import type { ReactNode } from "react";
import { listQuery, meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { EmptyState } from "#components/page";
import { PagedList } from "#components/paged-list";
import { Tabs } from "#components/tabs";
import { ToolRow } from "#components/tool-row";
import { rightsTo } from "#lib/rights";
import { ArchivedTools } from "./archived-tools.tsx";
import { messages as allMessages } from "./messages.ts";
import { useActivity } from "./use-activity.ts";

const route = getRouteApi("/");

const messages = allMessages.lists;

type Shown = "all" | ToolOrigin | "archived";

const { labels, empty } = messages;
const kinds: readonly Exclude<Shown, "archived">[] = ["all", "mine", "shared", "installed"];

/** All tools that the user can use, or those of one origin. */
export function ToolLists(): ReactNode {
  const { show } = route.useSearch();
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
        content: kind === "archived" ? <ArchivedTools /> : <ToolList kind={kind} />,
      }))}
    />
  );
}

function ToolList({ kind }: { kind: (typeof kinds)[number] }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const activity = useActivity();
  return (
    <PagedList
      label={messages.listLabel(labels[kind])}
      query={listQuery("/tools", { query: kind === "all" ? {} : { origin: kind } })}
      idOf={({ name }) => name}
      itemHeight={69}
      empty={<NoTools kind={kind} canBuild={me?.scopes.includes("tools:write") === true} />}
    >
      {(tool) => <ToolRow tool={tool} rights={rightsTo(tool, me)} runs={activity.get(tool.name)} />}
    </PagedList>
  );
}

function NoTools({
  kind,
  canBuild,
}: {
  kind: (typeof kinds)[number];
  canBuild: boolean;
}): ReactNode {
  const create = canBuild ? (
    <LinkButton to="/drafts" look="primary">
      {allMessages.createTool}
    </LinkButton>
  ) : undefined;
  const catalog = <LinkButton to="/catalog">{messages.browseCatalog}</LinkButton>;
  switch (kind) {
    case "all":
      return (
        <EmptyState
          title={empty.all.title}
          action={
            <div className="flex flex-wrap justify-center gap-2">
              {create}
              {catalog}
            </div>
          }
        >
          {empty.all.body} {canBuild ? empty.all.builder : empty.all.runner}
        </EmptyState>
      );
    case "mine":
      return (
        <EmptyState title={empty.mine.title} action={create}>
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
