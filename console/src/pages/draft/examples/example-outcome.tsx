import type { ExampleResult, JsonObject } from "@toolhost/contract";
import { Link } from "@tanstack/react-router";
import { toPlainText } from "@toolhost/ui/visible-text";
import type { ReactNode } from "react";
import { Badge } from "#components/badges";
import { Button } from "#components/button";
import { formatDuration } from "#lib/format";
import { Differences } from "../publish/differences.tsx";
import { messages as allMessages } from "./messages.ts";
import type { ExampleRun } from "./run-example.ts";

const messages = allMessages.results;

const tones = { passed: "good", failed: "bad", skipped: "warn" } as const;

/** Whether an example passed. */
export function ResultBadge({ status }: { status: ExampleResult["status"] }): ReactNode {
  return <Badge tone={tones[status]}>{messages.statuses[status]}</Badge>;
}

/** What the last run of an example has shown, and the way to accept its output. */
export function ExampleOutcome({
  at,
  run,
  isOutdated,
  hasBadge = true,
  onAccept,
}: {
  at: number;
  run: ExampleRun | undefined;
  isOutdated: boolean;
  /** False where the result is shown already. */
  hasBadge?: boolean;
  onAccept?: (output: JsonObject) => void;
}): ReactNode {
  if (run === undefined) return null;
  const { status, message, differences, durationMs, runId, output } = run;
  return (
    <div className="grid min-w-0 gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        {hasBadge ? <ResultBadge status={status} /> : null}
        {isOutdated ? <Badge>{messages.outdated}</Badge> : null}
        {runId === undefined ? null : (
          <Link
            to="/runs/$runId"
            params={{ runId }}
            className="rounded-sm text-soft hover:underline"
          >
            {formatDuration(durationMs)}
          </Link>
        )}
      </p>
      {message === "" ? null : <p className="min-w-0 break-words">{toPlainText(message)}</p>}
      <Differences
        differences={differences.map(({ path, expected, received }) => ({
          path,
          before: expected,
          after: received,
        }))}
        beforeLabel={messages.expected}
        afterLabel={messages.received}
      />
      {onAccept === undefined || output === undefined || differences.length === 0 ? null : (
        <Button
          className="justify-self-start"
          aria-label={messages.acceptNamed(at + 1)}
          onPress={() => onAccept(output)}
        >
          {messages.accept}
        </Button>
      )}
    </div>
  );
}
