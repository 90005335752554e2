import { Link } from "@tanstack/react-router";
import type { ToolSummary } from "@toolhost/contract";
import type { ReactNode } from "react";
import { When } from "#components/badges";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.facts;

/** Who made a tool, when it last ran, how often that succeeded, and its tags. */
export function ToolFactsLine({
  tool: { ownerId, lastRunAt, runs, tags },
  ownerName,
}: {
  tool: ToolSummary;
  ownerName: string;
}): ReactNode {
  const { completed, failed, perDay } = runs;
  const total = completed + failed;
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-soft">
      {ownerId === null ? null : <span>{ownerName}</span>}
      {lastRunAt === null ? (
        <span>{messages.unused}</span>
      ) : (
        <span>
          {messages.lastRun} <When at={lastRunAt} />
        </span>
      )}
      {total === 0 ? null : (
        <span className={failed >= completed ? "text-bad" : undefined}>
          {messages.success(Math.floor((completed / total) * 100), total)}
        </span>
      )}
      {total === 0 ? null : <Trend perDay={perDay} />}
      {tags.map((tag) => (
        <Link
          key={tag}
          to="/"
          search={{ tag }}
          className="rounded-md bg-raised px-1.5 py-0.5 hover:underline"
        >
          {tag}
        </Link>
      ))}
    </p>
  );
}

const width = 42;
const height = 12;

/** Runs per day as a small line. The counts are in the text beside it. */
function Trend({ perDay }: { perDay: readonly number[] }): ReactNode {
  const max = Math.max(1, ...perDay);
  const step = width / Math.max(1, perDay.length - 1);
  const points = perDay.map(
    (count, at) =>
      `${(at * step).toFixed(1)},${(height - 1 - (count / max) * (height - 2)).toFixed(1)}`,
  );
  return (
    <svg width={width} height={height} aria-hidden className="text-strong">
      <polyline points={points.join(" ")} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
