import { Link } from "@tanstack/react-router";
import type { Run } from "@toolhost/contract";
import { formatTime } from "@toolhost/ui/time";
import type { ReactNode } from "react";
import { Badge } from "#components/badges";
import { Card } from "#components/page";
import { formatBytes, formatDuration } from "#lib/format";
import { messages } from "./messages.ts";

/** When a run was queued, started and finished, which hosts it contacted, and which credentials it used. */
export function RunDetails({ run }: { run: Run }): ReactNode {
  const {
    runId,
    toolVersion,
    draft,
    attempt,
    createdAt,
    startedAt,
    finishedAt,
    durationMs,
    parentRunId,
  } = run;
  return (
    <Card title={messages.details.title}>
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm">
        <Entry label={messages.details.run}>
          <code className="font-mono text-xs">{runId}</code>
        </Entry>
        {draft ? null : <Entry label={messages.details.version}>{toolVersion}</Entry>}
        <Entry label={messages.details.queued}>{exact(createdAt)}</Entry>
        <Entry label={messages.details.started}>{exact(startedAt)}</Entry>
        <Entry label={messages.details.finished}>{exact(finishedAt)}</Entry>
        {durationMs === null ? null : (
          <Entry label={messages.details.duration}>{formatDuration(durationMs)}</Entry>
        )}
        {attempt > 1 ? (
          <Entry label={messages.details.attempt}>{messages.details.retried(attempt)}</Entry>
        ) : null}
        {parentRunId === null ? null : (
          <Entry label={messages.details.parent}>
            <Link
              to="/runs/$runId"
              params={{ runId: parentRunId }}
              className="text-strong underline"
            >
              {messages.details.openParent}
            </Link>
          </Entry>
        )}
      </dl>
      <Hosts run={run} />
      <Credentials run={run} />
    </Card>
  );
}

function exact(at: string | null): string {
  return at === null ? messages.details.notYet : formatTime(at);
}

function Entry({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-soft">{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Hosts({ run: { egress, status } }: { run: Run }): ReactNode {
  if (egress.length === 0) {
    return (
      <p className="text-sm text-soft">
        {status === "running" ? messages.hosts.pending : messages.hosts.none}
      </p>
    );
  }
  return (
    <div>
      <h3 className="mb-1 text-sm font-medium">{messages.hosts.title}</h3>
      <ul className="grid gap-2 text-sm">
        {egress.map(({ host, requests, bytesSent, bytesReceived, refused, reason }) => (
          <li key={host}>
            <p className="flex flex-wrap items-center gap-2">
              <Link to="/runs" search={{ host }} className="font-mono text-xs underline">
                {host}
              </Link>
              {refused > 0 ? <Badge tone="bad">{messages.hosts.refused(refused)}</Badge> : null}
            </p>
            <p className="text-soft">
              {messages.hosts.requests(requests)},{" "}
              {messages.hosts.traffic(formatBytes(bytesSent), formatBytes(bytesReceived))}
              {reason === undefined ? null : messages.hosts.reason(reason)}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Credentials({ run: { credentials } }: { run: Run }): ReactNode {
  if (credentials.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1 text-sm font-medium">{messages.credentials.title}</h3>
      <ul className="grid gap-2 text-sm">
        {credentials.map(({ name, owner, exposed, hosts }) => (
          <li key={`${owner} ${name}`}>
            <p className="flex flex-wrap items-center gap-2">
              <Link
                to="/runs"
                search={{ credential: name }}
                className="font-mono text-xs underline"
              >
                {name}
              </Link>
              <Badge>{messages.credentials.owners[owner]}</Badge>
              {exposed ? <Badge tone="warn">{messages.credentials.exposed}</Badge> : null}
            </p>
            <p className="text-soft">
              {hosts.length === 0
                ? messages.credentials.unused
                : messages.credentials.used(
                    hosts.map(({ host, count }) => `${host} (${count})`).join(", "),
                  )}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
