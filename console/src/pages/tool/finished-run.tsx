import { useQuery } from "@tanstack/react-query";
import type { Run } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { itemQuery } from "#api/queries";
import { Button } from "#components/button";
import { RunLog } from "#components/run-log";
import { formatDuration } from "#lib/format";
import { messages as allMessages } from "./messages-on-demand.ts";

const messages = allMessages.finishedRun;
const maxHosts = 3;

/** Details of a finished run: its duration, contacted hosts and logs. */
export function FinishedRun({ runId }: { runId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { data: run } = useQuery(itemQuery("/runs/{runId}", { params: { runId } }));
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-soft">
        <p>{run === undefined ? null : summaryOf(run)}</p>
        <Button look="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? messages.hideLog : messages.showLog}
        </Button>
      </div>
      {isOpen ? <RunLog runId={runId} /> : null}
    </div>
  );
}

function summaryOf({ durationMs, egress }: Run): string {
  const took = durationMs === null ? "" : messages.duration(formatDuration(durationMs));
  const hosts = egress.map(({ host }) => host);
  const contacted = messages.contacted(hosts.slice(0, maxHosts), hosts.length - maxHosts);
  return `${took}${hosts.length === 0 ? messages.noHosts : contacted}`;
}
