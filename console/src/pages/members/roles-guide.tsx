import type { ReactNode } from "react";
import { Badge } from "#components/badges";
import { Card } from "#components/page";
import { roleChoices } from "#lib/roles";
import { messages } from "./messages.ts";

/** What each role can do. */
export function RolesGuide({ own }: { own: string }): ReactNode {
  return (
    <Card title={messages.roles.title}>
      <p className="text-soft">{messages.roles.lead}</p>
      <dl className="grid gap-3 sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-y-2">
        {roleChoices.map(({ id, label, hint }) => (
          <div key={id} className="contents">
            <dt className="flex items-center gap-2 font-medium sm:items-start">
              {label}
              {id === own ? <Badge tone="strong">{messages.roles.you}</Badge> : null}
            </dt>
            <dd className="-mt-3 text-soft sm:mt-0">{hint}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
