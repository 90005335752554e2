import { Link } from "@tanstack/react-router";
import type { RunStats } from "@toolhost/contract";
import { toPlainText } from "@toolhost/ui/visible-text";
import type { ReactNode } from "react";
import { When } from "#components/badges";
import { Card } from "#components/page";
import { formatDuration } from "#lib/format";
import { messages } from "./messages.ts";
import { ToolLink } from "./tool-link.tsx";

const link = "text-strong underline";

/** The tools with the most failed runs, and the last error of each. */
export function FailingTools({
  tools,
  isOneTool,
}: {
  tools: RunStats["failingTools"];
  isOneTool: boolean;
}): ReactNode {
  const text = messages.failing;
  return (
    <Card title={text.title}>
      {tools.length === 0 ? <p className="text-sm text-soft">{text.none}</p> : null}
      <ul className="grid gap-3">
        {tools.map(({ toolName, title, completed, failed, cancelled, lastFailure }) => (
          <li key={toolName} className="grid min-w-0 gap-1 text-sm">
            <div className="flex flex-wrap justify-between gap-x-3">
              {isOneTool ? null : <ToolLink name={toolName} title={title} />}
              <span className="text-bad tabular-nums">
                {text.count(failed, completed + failed + cancelled)}
              </span>
            </div>
            {lastFailure === null ? null : (
              <>
                <p className="line-clamp-3 wrap-anywhere text-soft">
                  <code className="font-mono text-xs">{lastFailure.error.code}</code>{" "}
                  <bdi>{toPlainText(lastFailure.error.message)}</bdi>
                </p>
                <p className="flex flex-wrap gap-x-3 text-soft">
                  <When at={lastFailure.at} />
                  <Link
                    to="/runs/$runId"
                    params={{ runId: lastFailure.runId }}
                    aria-label={text.lastRun(title ?? toolName)}
                    className={link}
                  >
                    {text.viewRun}
                  </Link>
                  <Link
                    to="/runs"
                    search={{ toolName, status: "failed" }}
                    aria-label={text.viewAllOf(title ?? toolName)}
                    className={link}
                  >
                    {text.viewAll}
                  </Link>
                </p>
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The tools whose runs take the longest. */
export function SlowestTools({ tools }: { tools: RunStats["slowestTools"] }): ReactNode {
  const text = messages.slowest;
  return (
    <Card title={text.title}>
      {tools.length === 0 ? <p className="text-sm text-soft">{text.none}</p> : null}
      <ul className="grid gap-3">
        {tools.map(({ toolName, title, p50Ms, p95Ms }) => (
          <li key={toolName} className="flex flex-wrap justify-between gap-x-3 text-sm">
            <ToolLink name={toolName} title={title} />
            <span className="text-soft tabular-nums">
              {text.times(formatDuration(p50Ms ?? 0), formatDuration(p95Ms ?? 0))}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
