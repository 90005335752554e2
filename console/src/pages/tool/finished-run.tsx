import { useQuery } from "@tanstack/react-query";
import type { Run } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { itemQuery } from "#api/queries";
import { Button } from "#components/button";
import { RunLog } from "#components/run-log";
import { formatDuration } from "#lib/format";

/** What the result of a run does not say: how long it took, whom it asked, and what it wrote. */
export function FinishedRun({ runId }: { runId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { data: run } = useQuery(itemQuery("/runs/{runId}", { params: { runId } }));
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-soft">
        <p>{run === undefined ? null : wordsOn(run)}</p>
        <Button look="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? "Hide the log" : "Show the log"}
        </Button>
      </div>
      {isOpen ? <RunLog runId={runId} /> : null}
    </div>
  );
}

function wordsOn({ durationMs, egress }: Run): string {
  const took = durationMs === null ? "" : `Took ${formatDuration(durationMs)}. `;
  const hosts = egress.map(({ host }) => host);
  const others = hosts.length > 3 ? ` and ${hosts.length - 3} more` : "";
  return `${took}${hosts.length === 0 ? "It asked no host." : `It asked ${hosts.slice(0, 3).join(", ")}${others}.`}`;
}
