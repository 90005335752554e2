import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { RunStats, RunStatsRange } from "@toolhost/contract";
import { formatTime } from "@toolhost/ui/time";
import { ChartColumn } from "lucide-react";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { EmptyState, ProblemNote, Skeleton } from "#components/page";
import { SelectField } from "#components/select-field";
import { DurationChart, RunChart } from "./charts.tsx";
import { messages } from "./messages.ts";
import { statsRanges } from "./search.ts";
import { Tiles } from "./tiles.tsx";
import { FailingTools, SlowestTools } from "./tool-lists.tsx";
import { Usage } from "./usage.tsx";

const refreshMs = 30_000;

/** The figures of all runs that the user can see, or of those of one tool. */
export function Figures({
  range,
  onRange,
  toolName,
  children,
}: {
  range: RunStatsRange;
  onRange: (range: RunStatsRange) => void;
  toolName?: string;
  /** Shown after the charts. */
  children?: ReactNode;
}): ReactNode {
  const { data, error, refetch } = useQuery({
    ...itemQuery("/run-stats", { query: { range, toolName } }),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <SelectField
          label={messages.range}
          className="w-44"
          value={range}
          choices={statsRanges.map((id) => ({ id, label: messages.ranges[id] }))}
          onChange={onRange}
        />
        <p className="text-sm text-soft">{messages.updated}</p>
      </div>
      {data === undefined ? (
        error === null ? (
          <Skeleton />
        ) : (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Content stats={data} toolName={toolName}>
          {children}
        </Content>
      )}
    </div>
  );
}

function Content({
  stats,
  toolName,
  children,
}: {
  stats: RunStats;
  toolName: string | undefined;
  children: ReactNode;
}): ReactNode {
  const { completeSince, totals } = stats;
  const note =
    completeSince === null ? null : (
      <p role="status" className="rounded-lg bg-warn-soft p-3 text-sm text-warn">
        {messages.completeSince} {formatTime(completeSince)}
      </p>
    );
  if (totals.completed + totals.failed + totals.cancelled === 0) {
    return (
      <>
        {note}
        <NoRuns isOneTool={toolName !== undefined} />
        {children}
      </>
    );
  }
  return (
    <>
      {note}
      <Tiles totals={totals} />
      <RunChart stats={stats} />
      <DurationChart stats={stats} />
      {children}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <FailingTools tools={stats.failingTools} isOneTool={toolName !== undefined} />
        {toolName === undefined ? <SlowestTools tools={stats.slowestTools} /> : null}
      </div>
      <Usage usage={stats.usage} isToolShown={toolName === undefined} />
    </>
  );
}

function NoRuns({ isOneTool }: { isOneTool: boolean }): ReactNode {
  const text = messages.empty;
  const action = isOneTool ? undefined : <LinkButton to="/">{text.action}</LinkButton>;
  return (
    <EmptyState icon={ChartColumn} title={text.title} action={action}>
      {isOneTool ? text.tool : text.body}
    </EmptyState>
  );
}
