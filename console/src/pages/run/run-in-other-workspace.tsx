import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { setCurrentWorkspace } from "#api/current-workspace";
import { meQuery } from "#api/queries";
import { Button } from "#components/button";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.otherWorkspace;

type Workspaces = Me["workspaces"];

/** Finds a run in the other workspaces of the user, because a link to a run, as sent by a chat, does not name its workspace. */
export function RunInOtherWorkspace({ runId }: { runId: string }): ReactNode {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const others = me?.workspaces.filter(({ id }) => id !== me.workspace.id) ?? [];
  const { data: found } = useQuery({
    queryKey: ["elsewhere", runId, me?.workspace.id],
    enabled: others.length > 0,
    queryFn: () => findWorkspace(runId, others),
  });
  if (found == null) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line bg-paper p-4"
    >
      <p className="min-w-0">{messages.body}</p>
      <Button
        look="primary"
        onPress={() => {
          setCurrentWorkspace(found.id);
          // Cached data belongs to the previous workspace.
          void client.resetQueries();
        }}
      >
        {messages.open(found.name)}
      </Button>
    </div>
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
