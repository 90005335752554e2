import type { WorkspaceSettings } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Card } from "#components/page";
import { formatBytes, formatDuration } from "#lib/format";
import { DescriptionList } from "./description-list.tsx";

/** What the server allows. */
export function LimitsCard({ limits }: Pick<WorkspaceSettings, "limits">): ReactNode {
  return (
    <Card title="Limits">
      <p className="text-soft">The server&apos;s operator sets these.</p>
      <DescriptionList
        items={[
          ["Runs at once", String(limits.runsAtOnce)],
          ["Runs that may wait", String(limits.queuedRuns)],
          ["Time of a run", formatDuration(limits.runMs)],
          ["CPU time of a run", formatDuration(limits.cpuMs)],
          ["Memory of a run", `${limits.memoryMb} MiB`],
          ["Output of a run", formatBytes(limits.outputBytes)],
          ["Log of a run", formatBytes(limits.logBytes)],
          ["Upload", formatBytes(limits.uploadBytes)],
          ["Request body", formatBytes(limits.bodyBytes)],
          ["Requests a minute, each key", perWindow(limits.requestsPerMinute)],
          ["Requests a minute, each person", perWindow(limits.userRequestsPerMinute)],
          ["Requests a minute, workspace", perWindow(limits.workspaceRequestsPerMinute)],
          ["Runs a minute, each key", perWindow(limits.runsPerMinute)],
          ["Runs a minute, each person", perWindow(limits.userRunsPerMinute)],
          ["Runs a minute, workspace", perWindow(limits.workspaceRunsPerMinute)],
          ["Runs a day, each person", perWindow(limits.userRunsPerDay)],
          ["Runs a day, workspace", perWindow(limits.workspaceRunsPerDay)],
        ]}
      />
    </Card>
  );
}

function perWindow(limit: number | null): string {
  return limit === null ? "no limit" : limit.toLocaleString("en");
}
