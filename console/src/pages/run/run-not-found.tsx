import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { setCurrentWorkspace } from "#api/current-workspace";
import { meQuery } from "#api/queries";
import { Button, LinkButton } from "#components/button";
import { NotFoundPage } from "#components/not-found-page";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.notFound;

type Workspaces = Me["workspaces"];

/**
 * Shown for a run that this workspace does not have. Finds it in the user's other workspaces, because a link to a run, as
 * sent by a chat, does not name its workspace.
 */
export function RunNotFound({ runId }: { runId: string }): ReactNode {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const others = me?.workspaces.filter(({ id }) => id !== me.workspace.id) ?? [];
  const { data: found } = useQuery({
    queryKey: ["elsewhere", runId, me?.workspace.id],
    enabled: others.length > 0,
    queryFn: () => findWorkspace(runId, others),
  });
  const switchTo = (id: string) => {
    setCurrentWorkspace(id);
    // Cached data belongs to the previous workspace.
    void client.resetQueries();
  };
  return (
    <NotFoundPage
      page={messages.page}
      title={found == null ? messages.title : messages.inOtherWorkspace}
      action={
        found == null ? (
          <LinkButton to="/runs" look="primary">
            {messages.viewRuns}
          </LinkButton>
        ) : (
          <Button look="primary" onPress={() => switchTo(found.id)}>
            {messages.open(found.name)}
          </Button>
        )
      }
    >
      {found == null ? messages.body : null}
    </NotFoundPage>
  );
}

async function findWorkspace(
  runId: string,
  others: Workspaces,
): Promise<Workspaces[number] | null> {
  const results = await Promise.all(
    others.map(({ id }) =>
      api.get("/runs/{runId}", { params: { runId }, headers: { "x-workspace-id": id } }).then(
        () => true,
        () => false,
      ),
    ),
  );
  return others.find((_, at) => results[at] === true) ?? null;
}
