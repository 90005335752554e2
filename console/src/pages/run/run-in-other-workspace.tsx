import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { setCurrentWorkspace } from "#api/current-workspace";
import { meQuery } from "#api/queries";
import { Button } from "#components/button";

type Workspaces = Me["workspaces"];

/** The way to a run that is in another workspace of the person's: links to runs, as a chat gives them, do not say where it is. */
export function RunInOtherWorkspace({ runId }: { runId: string }): ReactNode {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const others = me?.workspaces.filter(({ id }) => id !== me.workspace.id) ?? [];
  const { data: found } = useQuery({
    queryKey: ["elsewhere", runId, me?.workspace.id],
    enabled: others.length > 0,
    queryFn: () => lookElsewhere(runId, others),
  });
  if (found == null) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line bg-paper p-4"
    >
      <p className="min-w-0">It is in another of your workspaces.</p>
      <Button
        look="primary"
        onPress={() => {
          setCurrentWorkspace(found.id);
          // Nothing of one workspace is shown in another.
          void client.resetQueries();
        }}
      >
        Go to {found.name}
      </Button>
    </div>
  );
}

async function lookElsewhere(
  runId: string,
  others: Workspaces,
): Promise<Workspaces[number] | null> {
  const answers = await Promise.all(
    others.map(({ id }) =>
      api.get("/runs/{runId}", { params: { runId }, headers: { "x-workspace-id": id } }).then(
        () => true,
        () => false,
      ),
    ),
  );
  return others.find((_, at) => answers[at] === true) ?? null;
}
