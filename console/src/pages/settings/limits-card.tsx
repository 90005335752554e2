import type { WorkspaceSettings } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Card } from "#components/page";
import { formatBytes, formatDuration } from "#lib/format";
import { DescriptionList } from "./description-list.tsx";
import { messages } from "./messages.ts";

const text = messages.limits;

/** Limits that the server applies to the workspace. */
export function LimitsCard({ limits }: Pick<WorkspaceSettings, "limits">): ReactNode {
  return (
    <Card title={text.title}>
      <p className="text-soft">{text.lead}</p>
      <DescriptionList
        items={[
          [text.concurrentRuns, String(limits.concurrentRuns)],
          [text.queuedRuns, String(limits.queuedRuns)],
          [text.runTimeout, formatDuration(limits.runMs)],
          [text.cpuTime, formatDuration(limits.cpuMs)],
          [text.memory, text.mebibytes(limits.memoryMb)],
          [text.outputSize, formatBytes(limits.outputBytes)],
          [text.logSize, formatBytes(limits.logBytes)],
          [text.uploadSize, formatBytes(limits.uploadBytes)],
          [text.bodySize, formatBytes(limits.bodyBytes)],
          [text.requestsPerMinute, perWindow(limits.requestsPerMinute)],
          [text.userRequestsPerMinute, perWindow(limits.userRequestsPerMinute)],
          [text.workspaceRequestsPerMinute, perWindow(limits.workspaceRequestsPerMinute)],
          [text.runsPerMinute, perWindow(limits.runsPerMinute)],
          [text.userRunsPerMinute, perWindow(limits.userRunsPerMinute)],
          [text.workspaceRunsPerMinute, perWindow(limits.workspaceRunsPerMinute)],
          [text.userRunsPerDay, perWindow(limits.userRunsPerDay)],
          [text.workspaceRunsPerDay, perWindow(limits.workspaceRunsPerDay)],
        ]}
      />
    </Card>
  );
}

/** A rate limit; null is none. */
function perWindow(limit: number | null): string {
  return limit === null ? text.noLimit : limit.toLocaleString("en");
}
