import { useQuery } from "@tanstack/react-query";
import type { Webhook } from "@toolhost/contract";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { Badge } from "#components/badges";
import { LinkButton } from "#components/button";
import { Card } from "#components/page";
import { messages } from "./messages.ts";

const text = messages.health;
const refreshMs = 30_000;

/** Whether webhooks and chats work, for admins. */
export function Health({ workspaceId }: { workspaceId: string }): ReactNode {
  const params = { id: workspaceId };
  const refetchInterval = refreshMs;
  const { data: webhooks } = useQuery({ ...itemQuery("/webhooks"), refetchInterval });
  const { data: chats } = useQuery({
    ...itemQuery("/workspaces/{id}/chat", { params }),
    refetchInterval,
  });
  const { data: letters } = useQuery({
    ...itemQuery("/workspaces/{id}/chat/dead-letters", { params, query: { limit: 100 } }),
    refetchInterval,
  });
  if (webhooks === undefined || chats === undefined) return null;
  const broken = chats.filter(({ state }) => state === "broken").length;
  const dead = letters?.length ?? 0;
  return (
    <Card title={text.title}>
      <dl className="grid gap-4 text-sm sm:grid-cols-2">
        <Part label={text.webhooks}>
          <WebhookHealth webhooks={webhooks} />
          <LinkButton to="/webhooks" look="quiet">
            {text.open}
          </LinkButton>
        </Part>
        <Part label={text.chats}>
          {chats.length === 0 ? <Badge>{text.noChats}</Badge> : null}
          {chats.length > 0 && broken === 0 ? (
            <Badge tone="good">{text.working(chats.length)}</Badge>
          ) : null}
          {broken === 0 ? null : <Badge tone="bad">{text.broken(broken)}</Badge>}
          {dead === 0 ? null : <Badge tone="warn">{text.dead(String(dead))}</Badge>}
          <LinkButton to="/settings" look="quiet">
            {text.openChats}
          </LinkButton>
        </Part>
      </dl>
    </Card>
  );
}

function Part({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt className="text-soft">{label}</dt>
      <dd className="flex flex-wrap items-center gap-2">{children}</dd>
    </div>
  );
}

/** The service counts no further. */
const maxCount = 100;

function WebhookHealth({ webhooks }: { webhooks: readonly Webhook[] }): ReactNode {
  if (webhooks.length === 0) return <Badge>{text.noWebhooks}</Badge>;
  const disabled = webhooks.filter(({ enabled }) => !enabled).length;
  const failing = webhooks.filter((one) => one.enabled && one.failingSince !== null).length;
  const dead = webhooks.reduce((sum, one) => sum + one.dead, 0);
  const isCut = webhooks.some((one) => one.dead >= maxCount);
  return (
    <>
      {disabled + failing === 0 ? <Badge tone="good">{text.working(webhooks.length)}</Badge> : null}
      {failing === 0 ? null : <Badge tone="bad">{text.failing(failing)}</Badge>}
      {disabled === 0 ? null : <Badge tone="warn">{text.disabled(disabled)}</Badge>}
      {dead === 0 ? null : <Badge tone="warn">{text.dead(`${dead}${isCut ? "+" : ""}`)}</Badge>}
    </>
  );
}
