import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ChatConnection } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { errorMessage } from "#api/problem";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";
import { Switch } from "#components/fields";
import { showToast } from "#components/toasts";
import { chatPlatform } from "#lib/chat-labels";
import { ConnectChatButton } from "./connect-chat-button.tsx";

type Props = { workspaceId: string; connection: ChatConnection };

/** A connected team: whether it is heard, and how its people are known. */
export function ChatTeam({
  workspaceId,
  connection,
  tellsAddresses,
  onEnd,
}: Props & { tellsAddresses: boolean; onEnd: () => void }): ReactNode {
  const { platform, teamName, state, connectedAt } = connection;
  const isLost = state === "broken";
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="min-w-0">
          <span className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 font-medium wrap-anywhere">{teamName}</span>
            <Badge>{chatPlatform(platform).label}</Badge>
            <Badge tone={isLost ? "bad" : "good"}>{isLost ? "not connected" : "connected"}</Badge>
          </span>
          <p className="text-sm text-soft">
            Connected <When at={connectedAt} />
          </p>
        </div>
        <Button aria-label={`Disconnect ${teamName}`} onPress={onEnd}>
          Disconnect
        </Button>
      </div>
      {isLost ? <Lost workspaceId={workspaceId} connection={connection} /> : null}
      {tellsAddresses ? <KnownByAddress workspaceId={workspaceId} connection={connection} /> : null}
    </div>
  );
}

function Lost({ workspaceId, connection: { platform, teamName, problem } }: Props): ReactNode {
  const { label, team } = chatPlatform(platform);
  return (
    <div className="grid justify-items-start gap-2 rounded-lg bg-bad-soft p-3 text-sm">
      <p>
        {label} no longer lets the bot in: somebody removed the app there, or took its access away.
        Connect the {team} again and it is heard as before; who its people are is kept.
      </p>
      {problem === null ? null : (
        <p className="font-mono text-[13px] wrap-anywhere text-bad">{problem}</p>
      )}
      <ConnectChatButton
        path={`/workspaces/${workspaceId}/chat`}
        platform={platform}
        aria-label={`Connect it again: ${teamName}`}
      >
        Connect it again
      </ConnectChatButton>
    </div>
  );
}

function KnownByAddress({
  workspaceId,
  connection: { id, platform, linkByEmail },
}: Props): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (isOn: boolean) =>
      send("PATCH", `/workspaces/${workspaceId}/chat/${id}`, { body: { linkByEmail: isOn } }),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () => client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "chat"] }),
  });
  return (
    <Switch
      isSelected={isPending ? variables : linkByEmail}
      isDisabled={isPending}
      onChange={mutate}
      hint={`On, whoever has a member's address at ${chatPlatform(platform).label} asks in that member's name. Off, people say once, on a page, who they are.`}
    >
      Know members by their e-mail address
    </Switch>
  );
}
