import type { WorkspaceSettings } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Card } from "#components/page";
import { formatBytes } from "#lib/format";
import { DescriptionList } from "./description-list.tsx";

/** What the workspace uses now. */
export function UsageCard({
  usage,
  limits,
}: Pick<WorkspaceSettings, "usage" | "limits">): ReactNode {
  const { runsToday, runsAtWork, runsWaiting, tools, members, files, fileBytes } = usage;
  const perDay = limits.workspaceRunsPerDay;
  return (
    <Card title="Usage">
      <DescriptionList
        items={[
          [
            "Runs today",
            perDay === null ? count(runsToday) : `${count(runsToday)} of ${count(perDay)}`,
          ],
          ["Runs at work", `${count(runsAtWork)} of ${count(limits.runsAtOnce)}`],
          ["Runs that wait", count(runsWaiting)],
          ["Tools", count(tools)],
          ["Members", count(members)],
          ["Files", files === 0 ? "none" : `${count(files)}, ${formatBytes(fileBytes)}`],
        ]}
      />
    </Card>
  );
}

function count(number: number): string {
  return number.toLocaleString("en");
}
