import { useQueryClient } from "@tanstack/react-query";
import type { ChatConnection, ChatPlatformState } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { send } from "#api/client";
import { ConfirmDialog } from "#components/dialog";
import { showToast } from "#components/toasts";
import { ChatTeam } from "./chat-team.tsx";

/** The teams that are connected. */
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
  const [ended, setEnded] = useState<ChatConnection>();
  const disconnect = async ({ id, teamName }: ChatConnection) => {
    await send("DELETE", `/workspaces/${workspaceId}/chat/${id}`);
    await client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "chat"] });
    showToast(`${teamName} is disconnected`);
  };
  return (
    <>
      {connections.length === 0 ? null : (
        <ul className="grid gap-3" aria-label="Connected teams">
          {connections.map((connection) => (
            <li key={connection.id} className="rounded-lg border border-line p-3">
              <ChatTeam
                workspaceId={workspaceId}
                connection={connection}
                tellsAddresses={platforms.some(
                  ({ platform, tellsAddresses }) =>
                    platform === connection.platform && tellsAddresses,
                )}
                onEnd={() => setEnded(connection)}
              />
            </li>
          ))}
        </ul>
      )}
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
