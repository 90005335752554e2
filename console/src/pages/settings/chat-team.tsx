import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ChatConnection, ChatPlatformState } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";
import { Switch } from "#components/fields";
import { showToast } from "#components/toasts";
import { chatPlatform } from "#lib/chat-labels";
import { ConnectChatButton } from "./connect-chat-button.tsx";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

const text = messages.chat;

type Props = { workspaceId: string; connection: ChatConnection };

/** A chat connection: its state, and how chat users are matched with members. */
export function ChatTeam({
  workspaceId,
  connection,
  platformState,
  onDisconnect,
}: Props & {
  /** Undefined until it is loaded. */
  platformState: ChatPlatformState | undefined;
  onDisconnect: () => void;
}): ReactNode {
  const { platform, teamName, state, connectedAt, missingScopes } = connection;
  const isLost = state === "broken";
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="min-w-0">
          <span className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 font-medium wrap-anywhere">
              <Name>{teamName}</Name>
            </span>
            <Badge>{chatPlatform(platform).label}</Badge>
            <Badge tone={isLost ? "bad" : "good"}>
              {isLost ? text.disconnected : text.connected}
            </Badge>
          </span>
          <p className="text-sm text-soft">
            {text.connectedSince} <When at={connectedAt} />
          </p>
        </div>
        <Button aria-label={text.disconnectLabel(teamName)} onPress={onDisconnect}>
          {text.disconnect}
        </Button>
      </div>
      {isLost ? <AccessLost workspaceId={workspaceId} connection={connection} /> : null}
      {!isLost && missingScopes.length > 0 ? (
        <Outdated
          workspaceId={workspaceId}
          connection={connection}
          manifestUrl={platformState?.manifestUrl}
        />
      ) : null}
      {platformState?.providesEmails === true ? (
        <MatchByEmail workspaceId={workspaceId} connection={connection} />
      ) : null}
    </div>
  );
}

function AccessLost({
  workspaceId,
  connection: { platform, teamName, problem },
}: Props): ReactNode {
  const { label, team } = chatPlatform(platform);
  return (
    <div className="grid justify-items-start gap-2 rounded-lg bg-bad-soft p-3 text-sm">
      <p>{text.accessLost(label, team)}</p>
      {problem === null ? null : (
        <p className="font-mono text-xs wrap-anywhere text-bad">{problem}</p>
      )}
      <ConnectChatButton
        workspaceId={workspaceId}
        platform={platform}
        aria-label={text.reconnectLabel(teamName)}
      >
        {text.reconnect}
      </ConnectChatButton>
    </div>
  );
}

function Outdated({
  workspaceId,
  connection: { platform, teamName, missingScopes },
  manifestUrl,
}: Props & { manifestUrl: string | undefined }): ReactNode {
  const { label, team } = chatPlatform(platform);
  return (
    <div className="grid justify-items-start gap-2 rounded-lg bg-warn-soft p-3 text-sm text-warn">
      <p className="wrap-anywhere">
        {text.outdated(label, team, missingScopes)}{" "}
        {manifestUrl === undefined ? null : (
          <a href={manifestUrl} className="underline">
            {text.notConfigured.manifest}
          </a>
        )}
      </p>
      <ConnectChatButton
        workspaceId={workspaceId}
        platform={platform}
        aria-label={text.reconnectLabel(teamName)}
      >
        {text.reconnect}
      </ConnectChatButton>
    </div>
  );
}

function MatchByEmail({
  workspaceId,
  connection: { id, platform, linkByEmail },
}: Props): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (isOn: boolean) =>
      api.send("PATCH /workspaces/{id}/chat/{connectionId}", {
        params: { id: workspaceId, connectionId: id },
        body: { linkByEmail: isOn },
      }),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () => client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "chat"] }),
  });
  return (
    <Switch
      isSelected={isPending ? variables : linkByEmail}
      isDisabled={isPending}
      onChange={mutate}
      hint={text.matchByEmailHint(chatPlatform(platform).label)}
    >
      {text.matchByEmail}
    </Switch>
  );
}
