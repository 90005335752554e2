import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Me, Tool } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { setCurrentWorkspace } from "#api/current-workspace";
import { ApiProblem } from "#api/problem";
import { meQuery } from "#api/queries";
import { Button, LinkButton } from "#components/button";
import { InstallButton } from "#components/install-button";
import { EmptyState, Page } from "#components/page";
import { ToolFacts } from "#components/tool-facts";

type Found = { workspaces: Me["workspaces"]; inCatalog: Tool | undefined };

/** Says that the tool is not in this workspace, and where else the person finds it. */
export function ToolNotFound({ name, words }: { name: string; words: string }): ReactNode {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const { data: found, isPending } = useQuery({
    queryKey: ["elsewhere", name],
    enabled: me !== undefined,
    queryFn: () => lookElsewhere(name, me),
  });
  const go = (id: string) => {
    setCurrentWorkspace(id);
    // Nothing of one workspace is shown in another.
    void client.resetQueries();
  };
  const mayInstall = me?.scopes.includes("tools:write") === true;
  return (
    <Page title="The tool is not here">
      <EmptyState
        title={`${me?.workspace.name ?? "This workspace"} has no tool ${name}`}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {found?.workspaces.map((workspace) => (
              <Button key={workspace.id} look="primary" onPress={() => go(workspace.id)}>
                Go to {workspace.name}
              </Button>
            ))}
            {found?.inCatalog !== undefined && mayInstall ? (
              <InstallButton tool={found.inCatalog} />
            ) : null}
            <LinkButton to="/">To the tools</LinkButton>
          </div>
        }
      >
        <p role="status">
          {isPending ? "Looking in your other workspaces…" : (whereWords(found) ?? words)}
        </p>
        {found?.inCatalog === undefined ? null : <ToolFacts tool={found.inCatalog} />}
      </EmptyState>
    </Page>
  );
}

function whereWords(found: Found | undefined): string | undefined {
  if (found === undefined) return undefined;
  if (found.workspaces.length > 0) return "It is in another of your workspaces.";
  return found.inCatalog === undefined ? undefined : "It is public, and can be installed.";
}

async function lookElsewhere(name: string, me: Me | undefined): Promise<Found> {
  const others = (me?.workspaces ?? []).filter(({ id }) => id !== me?.workspace.id);
  const answers = await Promise.all(
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
    workspaces: others.filter((_, at) => answers[at] === true),
    inCatalog: items.find((tool) => tool.name === name && tool.installed === false),
  };
}

/** A refusal means that it is not there; an outage is thrown, and asked again. */
function isMissing(error: unknown): false {
  if (error instanceof ApiProblem && error.status >= 400 && error.status < 500) return false;
  throw error;
}
