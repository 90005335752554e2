import type { Alert } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge, When } from "#components/badges";
import { LinkButton } from "#components/button";
import { AlertMenu } from "./alert-menu.tsx";
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

/** An alert in the list. */
export function AlertRow({ alert }: { alert: Alert }): ReactNode {
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
              <When at={stateSince} />
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
        <AlertMenu alert={alert} />
      </div>
    </div>
  );
}
