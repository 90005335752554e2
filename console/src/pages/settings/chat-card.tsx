import { useQuery } from "@tanstack/react-query";
import type { ChatConnection, ChatPlatformState } from "@toolhost/contract";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { Badge } from "#components/badges";
import { Card, ProblemNote, Skeleton } from "#components/page";
import { chatPlatform } from "#lib/chat-labels";
import { ChatConnections } from "./chat-connections.tsx";
import { ConnectChatButton } from "./connect-chat-button.tsx";
import { DeadLetterList } from "./dead-letter-list.tsx";
import { messages } from "./messages.ts";

const text = messages.chat;

/** The chat connections of the workspace. */
export function ChatCard({ workspaceId }: { workspaceId: string }): ReactNode {
  const params = { id: workspaceId };
  const {
    data: connections,
    error,
    refetch,
  } = useQuery(itemQuery("/workspaces/{id}/chat", { params }));
  const { data: platforms = [] } = useQuery(
    itemQuery("/workspaces/{id}/chat/platforms", { params }),
  );
  return (
    <Card title={text.title}>
      <p className="text-soft">{text.lead}</p>
      {connections === undefined ? (
        error === null ? (
          <Skeleton lines={1} />
        ) : (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <ChatConnections
            workspaceId={workspaceId}
            connections={connections}
            platforms={platforms}
          />
          <Platforms workspaceId={workspaceId} platforms={platforms} connections={connections} />
          <DeadLetterList workspaceId={workspaceId} connections={connections} />
        </>
      )}
    </Card>
  );
}

/** The platforms to connect, and those that the server's operator has yet to set up. */
function Platforms({
  workspaceId,
  platforms,
  connections,
}: {
  workspaceId: string;
  platforms: readonly ChatPlatformState[];
  connections: readonly ChatConnection[];
}): ReactNode {
  const ready = platforms.filter(({ isConfigured }) => isConfigured);
  return (
    <>
      {ready.map(({ platform, label, problem }) =>
        problem === null ? null : (
          <p key={platform} className="rounded-lg bg-warn-soft p-3 text-sm text-warn">
            {text.notListening(label, problem)}
          </p>
        ),
      )}
      {ready.length === 0 ? null : (
        <div className="flex flex-wrap gap-2">
          {ready.map(({ platform, label }) => (
            <ConnectChatButton key={platform} workspaceId={workspaceId} platform={platform}>
              {connections.some((one) => one.platform === platform)
                ? text.connectAnother(chatPlatform(platform).team)
                : text.connect(label)}
            </ConnectChatButton>
          ))}
        </div>
      )}
      {platforms
        .filter(({ isConfigured }) => !isConfigured)
        .map((platform) => (
          <NotConfigured key={platform.platform} platform={platform} />
        ))}
    </>
  );
}

function NotConfigured({
  platform: { label, manifestUrl },
}: {
  platform: ChatPlatformState;
}): ReactNode {
  return (
    <div className="border-t border-line pt-3">
      <span className="flex items-center gap-2 font-medium">
        {label}
        <Badge>{text.notConfigured.badge}</Badge>
      </span>
      <p className="max-w-prose text-sm text-soft">
        {text.notConfigured.body(label)}{" "}
        <a href={manifestUrl} className="text-strong underline">
          {text.notConfigured.manifest}
        </a>
      </p>
    </div>
  );
}
