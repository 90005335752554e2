import type { Webhook } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge, When } from "#components/badges";
import { LinkButton } from "#components/button";
import { MoreButton } from "#components/more-button";
import { Menu } from "#components/menu";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

const text = messages.row;
const eventCount = Object.keys(messages.events).length;

type Props = {
  webhook: Webhook;
  onTest: () => void;
  onEnable: () => void;
  onAction: (what: "edit" | "rotate" | "delete") => void;
};

/** The host of a URL, whose path may contain a secret. */
export function hostOf({ url }: Pick<Webhook, "url">): string {
  return new URL(url).host;
}

/** A webhook in the list. */
export function WebhookRow({ webhook, onTest, onEnable, onAction }: Props): ReactNode {
  const { id, url, description, enabled, disabledReason, failingSince, pending, dead } = webhook;
  const name = description === "" ? hostOf(webhook) : description;
  return (
    <div className="ui-row">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere">
            <Name>{name}</Name>
          </span>
          <HealthBadge webhook={webhook} />
          {pending > 0 ? <Badge>{text.pending(pending)}</Badge> : null}
          {dead > 0 ? <Badge tone="bad">{text.dead(dead)}</Badge> : null}
        </div>
        <p className="font-mono text-xs wrap-anywhere text-soft">{url}</p>
        {disabledReason === null ? null : (
          <p className="text-sm text-bad">{text.disabledReasons[disabledReason]}</p>
        )}
        {enabled && failingSince !== null ? (
          <p className="text-sm text-bad">
            {text.failingSince} <When at={failingSince} />
          </p>
        ) : null}
        <p className="text-sm text-soft">{describe(webhook)}</p>
      </div>
      <div className="flex items-center gap-1">
        <LinkButton
          to="/webhooks/$webhookId"
          params={{ webhookId: id }}
          aria-label={text.deliveriesLabel(name)}
        >
          {text.deliveries}
        </LinkButton>
        <Menu
          label={text.menu(name)}
          trigger={<MoreButton label={text.menuButton(name)} />}
          entries={[
            { id: "test", label: text.test, onAction: onTest },
            { id: "edit", label: text.edit, onAction: () => onAction("edit") },
            { id: "enable", label: enabled ? text.disable : text.enable, onAction: onEnable },
            { id: "rotate", label: text.rotate, onAction: () => onAction("rotate") },
            {
              id: "delete",
              label: text.delete,
              isDangerous: true,
              onAction: () => onAction("delete"),
            },
          ]}
        />
      </div>
    </div>
  );
}

function HealthBadge({ webhook: { enabled, failingSince } }: { webhook: Webhook }): ReactNode {
  if (!enabled) return <Badge tone="warn">{text.disabled}</Badge>;
  return failingSince === null ? (
    <Badge tone="good">{text.healthy}</Badge>
  ) : (
    <Badge tone="bad">{text.failing}</Badge>
  );
}

function describe({ events, tools, includeOutput }: Webhook): string {
  const which =
    events.length === eventCount
      ? text.allEvents
      : events.map((event) => messages.events[event]).join(", ");
  const parts = [which, tools === null ? "" : text.ofTools(tools)].filter(Boolean).join(" ");
  return includeOutput ? `${parts}, ${text.withOutput}` : parts;
}
