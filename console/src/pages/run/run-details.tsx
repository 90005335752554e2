import { Link } from "@tanstack/react-router";
import type { Run } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge } from "#components/badges";
import { Card } from "#components/page";
import { formatBytes, formatDuration } from "#lib/format";

/** What the run was and did: when, at which attempt, what it asked of which host, and with which credentials. */
export function RunDetails({ run }: { run: Run }): ReactNode {
  const { runId, toolVersion, attempt, createdAt, startedAt, finishedAt, durationMs, parentRunId } =
    run;
  return (
    <Card title="Receipt">
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm">
        <Entry label="Run">
          <code className="font-mono text-[13px]">{runId}</code>
        </Entry>
        <Entry label="Version">{toolVersion}</Entry>
        <Entry label="Asked for">{exact(createdAt)}</Entry>
        <Entry label="Began">{exact(startedAt)}</Entry>
        <Entry label="Ended">{exact(finishedAt)}</Entry>
        {durationMs === null ? null : <Entry label="Took">{formatDuration(durationMs)}</Entry>}
        {attempt > 1 ? (
          <Entry label="Attempt">{attempt}: a node died, and it was taken again</Entry>
        ) : null}
        {parentRunId === null ? null : (
          <Entry label="Asked for by">
            <Link
              to="/runs/$runId"
              params={{ runId: parentRunId }}
              className="text-strong underline"
            >
              another run
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
  return at === null ? "not yet" : new Date(at).toLocaleString();
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
        {status === "running"
          ? "What it asks of whom is known when it has ended."
          : "It asked nothing of any host."}
      </p>
    );
  }
  return (
    <div>
      <h3 className="mb-1 text-sm font-medium">Hosts</h3>
      <ul className="grid gap-2 text-sm">
        {egress.map(({ host, requests, bytesSent, bytesReceived, refused, reason }) => (
          <li key={host}>
            <p className="flex flex-wrap items-center gap-2">
              <code className="font-mono text-[13px]">{host}</code>
              {refused > 0 ? <Badge tone="bad">{refused} refused</Badge> : null}
            </p>
            <p className="text-soft">
              {requests === 1 ? "1 request" : `${requests} requests`}, {formatBytes(bytesSent)}{" "}
              sent, {formatBytes(bytesReceived)} received
              {reason === undefined ? null : `. Refused: ${reason}`}
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
      <h3 className="mb-1 text-sm font-medium">Credentials</h3>
      <ul className="grid gap-2 text-sm">
        {credentials.map(({ name, owner, exposed, hosts }) => (
          <li key={`${owner} ${name}`}>
            <p className="flex flex-wrap items-center gap-2">
              <code className="font-mono text-[13px]">{name}</code>
              <Badge>{owner === "user" ? "the person's own" : "the workspace's"}</Badge>
              {exposed ? <Badge tone="warn">its code saw the value</Badge> : null}
            </p>
            <p className="text-soft">
              {hosts.length === 0
                ? "Put into no request."
                : `Put into requests to ${hosts.map(({ host, count }) => `${host} (${count})`).join(", ")}.`}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
