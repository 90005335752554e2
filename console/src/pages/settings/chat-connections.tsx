import { useQueryClient } from "@tanstack/react-query";
import type { ChatConnection, ChatPlatformState } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { ConfirmDialog } from "#components/dialog";
import { showToast } from "#components/toasts";
import { ChatTeam } from "./chat-team.tsx";
import { messages } from "./messages.ts";

const text = messages.chat;

/** The chat connections, with their states and actions. */
export function ChatConnections({
  workspaceId,
  connections,
  platforms,
}: {
  workspaceId: string;
  connections: readonly ChatConnection[];
  platforms: readonly ChatPlatformState[];
}): ReactNode {
  const client = useQueryClient();
  const [disconnecting, setDisconnecting] = useState<ChatConnection>();
  const disconnect = async ({ id, teamName }: ChatConnection) => {
    await api.send("DELETE /workspaces/{id}/chat/{connectionId}", {
      params: { id: workspaceId, connectionId: id },
    });
    await client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "chat"] });
    showToast(text.wasDisconnected(teamName));
  };
  return (
    <>
      {connections.length === 0 ? null : (
        <ul className="grid gap-3" aria-label={text.list}>
          {connections.map((connection) => (
            <li key={connection.id} className="rounded-lg border border-line p-3">
              <ChatTeam
                workspaceId={workspaceId}
                connection={connection}
                platformState={platforms.find(({ platform }) => platform === connection.platform)}
                onDisconnect={() => setDisconnecting(connection)}
              />
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        title={text.disconnectTitle(disconnecting?.teamName ?? text.thisChat)}
        action={text.disconnectAction}
        isOpen={disconnecting !== undefined}
        onClose={() => setDisconnecting(undefined)}
        onConfirm={async () =>
          disconnecting === undefined ? undefined : disconnect(disconnecting)
        }
      >
        {text.disconnectWarning}
      </ConfirmDialog>
    </>
  );
}
