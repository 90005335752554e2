import type { WorkspaceSettings } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Card } from "#components/page";
import { formatBytes } from "#lib/format";
import { DescriptionList } from "./description-list.tsx";
import { messages } from "./messages.ts";

/** Current usage of the workspace. */
export function UsageCard({
  usage,
  limits,
}: Pick<WorkspaceSettings, "usage" | "limits">): ReactNode {
  const { runsToday, runningRuns, queuedRuns, tools, members, files, fileBytes } = usage;
  const perDay = limits.workspaceRunsPerDay;
  return (
    <Card title={messages.usage.title}>
      <DescriptionList
        items={[
          [
            messages.usage.runsToday,
            perDay === null
              ? count(runsToday)
              : messages.usage.ofLimit(count(runsToday), count(perDay)),
          ],
          [
            messages.usage.running,
            messages.usage.ofLimit(count(runningRuns), count(limits.concurrentRuns)),
          ],
          [messages.usage.queued, count(queuedRuns)],
          [messages.usage.tools, count(tools)],
          [messages.usage.members, count(members)],
          [
            messages.usage.files,
            files === 0
              ? messages.usage.none
              : messages.usage.filesAndSize(count(files), formatBytes(fileBytes)),
          ],
        ]}
      />
    </Card>
  );
}

function count(number: number): string {
  return number.toLocaleString("en");
}
