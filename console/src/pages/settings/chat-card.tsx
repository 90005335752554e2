import { useMutation, useQuery } from "@tanstack/react-query";
import type { ChatConnection, ChatPlatformState } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { wordsOf } from "#api/problem";
import { itemQuery } from "#api/queries";
import { Badge } from "#components/badges";
import { Button } from "#components/button";
import { Card, ProblemNote, Skeleton } from "#components/page";
import { showToast } from "#components/toasts";
import { ChatConnections } from "./chat-connections.tsx";
import { GivenUpList } from "./given-up-list.tsx";

/** Chats whose people use the workspace's tools. */
export function ChatCard({ workspaceId }: { workspaceId: string }): ReactNode {
  const path = `/workspaces/${workspaceId}/chat`;
  const { data: connections, error, refetch } = useQuery(itemQuery<ChatConnection[]>(path));
  const { data: platforms = [] } = useQuery(itemQuery<ChatPlatformState[]>(`${path}/platforms`));
  return (
    <Card title="Chat">
      <p className="text-soft">
        Connect a team of your chat, and its people ask for tools there. Each run is in the name of
        the member who asked, with their rights.
      </p>
      {connections === undefined ? (
        error === null ? (
          <Skeleton lines={1} />
        ) : (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <ChatConnections workspaceId={workspaceId} connections={connections} />
          {platforms.map((platform) => (
            <Platform
              key={platform.platform}
              path={path}
              platform={platform}
              isConnected={connections.some((one) => one.platform === platform.platform)}
            />
          ))}
          <GivenUpList workspaceId={workspaceId} connections={connections} />
        </>
      )}
    </Card>
  );
}

function Platform({
  path,
  platform: { platform, label, isConfigured, manifestUrl },
  isConnected,
}: {
  path: string;
  platform: ChatPlatformState;
  isConnected: boolean;
}): ReactNode {
  const { mutate, isPending } = useMutation({
    mutationFn: () => send<{ url: string }>("POST", `${path}/${platform}/connect`),
    // The address is for this browser alone.
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => showToast(wordsOf(error), "bad"),
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
      <div className="min-w-0 max-w-prose">
        <span className="flex items-center gap-2 font-medium">
          {label}
          {isConfigured ? null : <Badge>not set up</Badge>}
        </span>
        {isConfigured ? null : (
          <p className="text-sm text-soft">
            The server&apos;s operator sets it up once: make an app of{" "}
            <a href={manifestUrl} className="text-strong underline">
              its description
            </a>{" "}
            at {label}, put its client id and secrets into the settings that begin with{" "}
            <code className="font-mono text-[13px]">{platform.toUpperCase()}_</code>, and start the
            server again. The README tells how.
          </p>
        )}
      </div>
      {isConfigured ? (
        <Button isPending={isPending} onPress={() => mutate()}>
          {isConnected ? `Connect another ${label} team` : `Connect ${label}`}
        </Button>
      ) : null}
    </div>
  );
}
