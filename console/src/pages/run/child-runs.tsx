import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { StatusBadge } from "#components/badges";
import { LinkButton } from "#components/button";
import { Card } from "#components/page";
import { formatDuration } from "#lib/format";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.childRuns;

const maxShown = 10;
const refreshMs = 2_000;

/** The runs that this run started; empty when there are none. */
export function ChildRuns({ runId, isLive }: { runId: string; isLive: boolean }): ReactNode {
  const { data = [] } = useQuery({
    ...itemQuery("/runs", { query: { parentRunId: runId, limit: maxShown + 1 } }),
    refetchInterval: isLive ? refreshMs : false,
  });
  if (data.length === 0) return null;
  return (
    <Card title={messages.title}>
      <ul className="grid gap-1.5">
        {data.slice(0, maxShown).map((child) => (
          <li key={child.runId} className="flex flex-wrap items-center gap-2 text-sm">
            <StatusBadge status={child.status} isQueued={child.queued} />
            <Link
              to="/runs/$runId"
              params={{ runId: child.runId }}
              className="rounded-sm hover:underline"
            >
              {child.toolName}
            </Link>
            <span className="text-soft">
              {child.durationMs === null ? "" : formatDuration(child.durationMs)}
            </span>
          </li>
        ))}
      </ul>
      {data.length > maxShown ? (
        <LinkButton to="/runs" search={{ parentRunId: runId }} className="justify-self-start">
          {messages.viewAll}
        </LinkButton>
      ) : null}
    </Card>
  );
}
