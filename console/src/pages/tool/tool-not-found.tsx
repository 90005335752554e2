import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Me, Tool } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { setCurrentWorkspace } from "#api/current-workspace";
import { ApiProblem } from "#api/problem";
import { meQuery } from "#api/queries";
import { Button, LinkButton } from "#components/button";
import { InstallButton } from "#components/install-button";
import { NotFoundPage } from "#components/not-found-page";
import { ToolFacts } from "#components/tool-facts";
import { messages as allMessages } from "./messages-on-demand.ts";

const messages = allMessages.notFound;

type Found = { workspaces: Me["workspaces"]; inCatalog: Tool | undefined };

/** Shown for a tool that this workspace does not have; offers where else the user can find it. */
export function ToolNotFound({ name }: { name: string }): ReactNode {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const { data: found, isPending } = useQuery({
    queryKey: ["elsewhere", name],
    enabled: me !== undefined,
    queryFn: () => findElsewhere(name, me),
  });
  const switchTo = (id: string) => {
    setCurrentWorkspace(id);
    // Cached data belongs to the previous workspace.
    void client.resetQueries();
  };
  const canInstall = me?.scopes.includes("tools:write") === true;
  return (
    <NotFoundPage
      page={messages.page}
      title={messages.title(me?.workspace.name, name)}
      action={
        <>
          {found?.workspaces.map((workspace) => (
            <Button key={workspace.id} look="primary" onPress={() => switchTo(workspace.id)}>
              {messages.goTo(workspace.name)}
            </Button>
          ))}
          {found?.inCatalog !== undefined && canInstall ? (
            <InstallButton tool={found.inCatalog} />
          ) : null}
          <LinkButton to="/">{messages.viewTools}</LinkButton>
        </>
      }
    >
      <p role="status">
        {isPending ? messages.searching : (locationText(found, canInstall) ?? messages.hint)}
      </p>
      {found?.inCatalog === undefined ? null : <ToolFacts tool={found.inCatalog} />}
    </NotFoundPage>
  );
}

function locationText(found: Found | undefined, canInstall: boolean): string | undefined {
  if (found === undefined) return undefined;
  if (found.workspaces.length > 0) return messages.inOtherWorkspace;
  if (found.inCatalog === undefined) return undefined;
  return canInstall ? messages.inCatalog : messages.inCatalogOnly;
}

async function findElsewhere(name: string, me: Me | undefined): Promise<Found> {
  const others = (me?.workspaces ?? []).filter(({ id }) => id !== me?.workspace.id);
  const results = await Promise.all(
    others.map(({ id }) =>
      api
        .get("/tools/{name}", { params: { name }, headers: { "x-workspace-id": id } })
        .then(() => true, isMissing),
    ),
  );
  const { items } = await api.getPage("/tools", {
    query: { catalog: "public", q: name, limit: 1 },
  });
  return {
    workspaces: others.filter((_, at) => results[at] === true),
    inCatalog: items.find((tool) => tool.name === name && tool.installed === false),
  };
}

/** A 4xx response means that the tool is missing. Other errors are thrown, so that the query is retried. */
function isMissing(error: unknown): false {
  if (error instanceof ApiProblem && error.status >= 400 && error.status < 500) return false;
  throw error;
}
