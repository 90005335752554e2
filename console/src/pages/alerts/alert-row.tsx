import type { Alert } from "@toolhost/contract";
import { MoreHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { Badge, When } from "#components/badges";
import { IconButton, LinkButton } from "#components/button";
import { Menu } from "#components/menu";
import { AlertDescription } from "./describe-alert.tsx";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

const text = messages.row;
const tones = { ok: "good", firing: "bad", resolved: "good" } as const;

/** The state of an alert. */
export function StateBadge({ alert: { enabled, state } }: { alert: Alert }): ReactNode {
  if (!enabled) return <Badge tone="warn">{messages.disabled}</Badge>;
  return <Badge tone={tones[state]}>{messages.states[state]}</Badge>;
}

type Props = {
  alert: Alert;
  onTest: () => void;
  onEnable: () => void;
  onAction: (what: "edit" | "delete") => void;
};

/** An alert in the list. */
export function AlertRow({ alert, onTest, onEnable, onAction }: Props): ReactNode {
  const { id, name, enabled, state, stateSince, summary, problem, checkedAt } = alert;
  return (
    <div className="ui-row">
      <div className="grid min-w-0 gap-1 text-sm">
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-base font-medium wrap-anywhere">
            <Name>{name}</Name>
          </span>
          <StateBadge alert={alert} />
          {enabled && state !== "ok" ? (
            <span className="text-soft">
              {messages.since} <When at={stateSince} />
            </span>
          ) : null}
        </div>
        <p className="wrap-anywhere text-soft">
          <AlertDescription alert={alert} />
        </p>
        {problem === null ? (
          <p className="wrap-anywhere text-soft">
            {enabled && checkedAt === null ? messages.notChecked : summary}
          </p>
        ) : (
          <p className="wrap-anywhere text-bad">{problem}</p>
        )}
      </div>
      <div className="flex items-center gap-1">
        <LinkButton
          to="/alerts/$alertId"
          params={{ alertId: id }}
          aria-label={text.historyLabel(name)}
        >
          {text.history}
        </LinkButton>
        <Menu
          label={text.menu(name)}
          trigger={
            <IconButton label={text.menuButton(name)}>
              <MoreHorizontal size={18} aria-hidden />
            </IconButton>
          }
          entries={[
            { id: "test", label: text.test, onAction: onTest },
            { id: "edit", label: text.edit, onAction: () => onAction("edit") },
            { id: "enable", label: enabled ? text.disable : text.enable, onAction: onEnable },
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
