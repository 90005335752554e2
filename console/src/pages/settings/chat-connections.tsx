import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ChatConnection } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { send } from "#api/client";
import { wordsOf } from "#api/problem";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";
import { ConfirmDialog } from "#components/dialog";
import { Switch } from "#components/fields";
import { showToast } from "#components/toasts";

/** The teams that are connected. */
export function ChatConnections({
  workspaceId,
  connections,
}: {
  workspaceId: string;
  connections: readonly ChatConnection[];
}): ReactNode {
  const client = useQueryClient();
  const [ended, setEnded] = useState<ChatConnection>();
  const disconnect = async ({ id, teamName }: ChatConnection) => {
    await send("DELETE", `/workspaces/${workspaceId}/chat/${id}`);
    await client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "chat"] });
    showToast(`${teamName} is disconnected`);
  };
  if (connections.length === 0) return null;
  return (
    <>
      <ul className="grid gap-3" aria-label="Connected teams">
        {connections.map((connection) => (
          <li key={connection.id} className="rounded-lg border border-line p-3">
            <Team
              workspaceId={workspaceId}
              connection={connection}
              onEnd={() => setEnded(connection)}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        title={`Disconnect ${ended?.teamName ?? "the team"}?`}
        action="Disconnect"
        isOpen={ended !== undefined}
        onClose={() => setEnded(undefined)}
        onConfirm={async () => (ended === undefined ? undefined : disconnect(ended))}
      >
        Nothing of it is heard from that moment on, and who its people are is forgotten.
      </ConfirmDialog>
    </>
  );
}

function Team({
  workspaceId,
  connection: { id, platform, teamName, state, problem, linkByEmail, connectedAt },
  onEnd,
}: {
  workspaceId: string;
  connection: ChatConnection;
  onEnd: () => void;
}): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (isOn: boolean) =>
      send("PATCH", `/workspaces/${workspaceId}/chat/${id}`, { body: { linkByEmail: isOn } }),
    onError: (error) => showToast(wordsOf(error), "bad"),
    onSettled: () => client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "chat"] }),
  });
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{teamName}</span>
          <Badge>{platform}</Badge>
          <Badge tone={state === "active" ? "good" : "bad"}>
            {state === "active" ? "connected" : "connect it again"}
          </Badge>
        </span>
        <Button look="quiet" aria-label={`Disconnect ${teamName}`} onPress={onEnd}>
          Disconnect
        </Button>
      </div>
      {problem === null ? null : <p className="text-sm text-bad">{problem}</p>}
      <p className="text-sm text-soft">
        Connected <When at={connectedAt} />
      </p>
      <Switch
        isSelected={isPending ? variables : linkByEmail}
        isDisabled={isPending}
        onChange={mutate}
      >
        Know members by their e-mail address
      </Switch>
    </div>
  );
}
