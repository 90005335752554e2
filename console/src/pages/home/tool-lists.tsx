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
import { useActivity } from "./use-activity.ts";

const route = getRouteApi("/");

type Shown = "all" | ToolOrigin;

const labels: Record<Shown, string> = {
  all: "All",
  mine: "Yours",
  shared: "Shared with you",
  installed: "Installed",
};
const kinds: readonly Shown[] = ["all", "mine", "shared", "installed"];

/** All tools that the person may use, or those of one kind. */
export function ToolLists(): ReactNode {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Tabs
      label="Whose tools"
      selected={show ?? "all"}
      onSelect={(kind) =>
        void navigate({
          search: (before) => ({ ...before, show: kind === "all" ? undefined : kind }),
          replace: true,
        })
      }
      tabs={kinds.map((kind) => ({
        id: kind,
        label: labels[kind],
        content: <ToolList kind={kind} />,
      }))}
    />
  );
}

function ToolList({ kind }: { kind: Shown }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const activity = useActivity();
  return (
    <PagedList
      label={`${labels[kind]} tools`}
      query={listQuery("/tools", { query: kind === "all" ? {} : { origin: kind } })}
      idOf={({ name }) => name}
      itemHeight={69}
      empty={<NoTools kind={kind} mayBuild={me?.scopes.includes("tools:write") === true} />}
    >
      {(tool) => <ToolRow tool={tool} rights={rightsTo(tool, me)} runs={activity.get(tool.name)} />}
    </PagedList>
  );
}

function NoTools({ kind, mayBuild }: { kind: Shown; mayBuild: boolean }): ReactNode {
  const make = mayBuild ? (
    <LinkButton to="/drafts" look="primary">
      New tool
    </LinkButton>
  ) : undefined;
  const catalog = <LinkButton to="/catalog">Look in the catalog</LinkButton>;
  switch (kind) {
    case "all":
      return (
        <EmptyState
          title="No tools yet"
          action={
            <div className="flex flex-wrap justify-center gap-2">
              {make}
              {catalog}
            </div>
          }
        >
          A tool is a small program with a form: people run it here, and agents and scripts run it
          by MCP and REST.{" "}
          {mayBuild
            ? "Write one from a template, or install one that others share."
            : "A builder of this workspace can write one, or install one from the catalog."}
        </EmptyState>
      );
    case "mine":
      return (
        <EmptyState title="You have not made a tool yet" action={make}>
          {mayBuild
            ? "Begin with a template: a few lines of TypeScript are enough."
            : "Ask an admin for the role builder, and the tools that you make stand here."}
        </EmptyState>
      );
    case "shared":
      return (
        <EmptyState title="Nothing is shared with you yet">
          Tools that others of this workspace share stand here.
        </EmptyState>
      );
    case "installed":
      return (
        <EmptyState title="Nothing is installed" action={catalog}>
          Public tools of other workspaces stand in the catalog. Once installed, everybody here can
          use them.
        </EmptyState>
      );
  }
}
