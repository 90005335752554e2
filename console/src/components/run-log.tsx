import { useQuery } from "@tanstack/react-query";
import type { LogLine } from "@toolhost/contract";
import { formatTime } from "@toolhost/ui/time";
import { toPlainText } from "@toolhost/ui/visible-text";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { Button } from "./button.tsx";
import { messages as allMessages } from "./messages-run-record.ts";
import { Card, ProblemNote, Skeleton } from "./page.tsx";
import { classes } from "#lib/class-names";
import { saveFile } from "#lib/save-file";

const messages = allMessages.log;

const maxLines = 1_000;
const maxLineLength = 4_000;

const levelStyles: Record<LogLine["level"], string> = {
  debug: "text-soft",
  info: "",
  warn: "text-warn",
  error: "text-bad",
};

/** The logs of a run. A long log shows its end only, and can be downloaded in full. */
export function RunLog({ runId }: { runId: string }): ReactNode {
  const { data, error, refetch } = useQuery(itemQuery("/runs/{runId}/logs", { params: { runId } }));
  return (
    <Card
      title={messages.title}
      actions={
        data === undefined || data.length === 0 ? null : (
          <DownloadButton runId={runId} lines={data} />
        )
      }
    >
      {error !== null ? (
        <ProblemNote error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={1} />
      ) : data.length === 0 ? (
        <p className="text-sm text-soft">{messages.empty}</p>
      ) : (
        <Lines lines={data} />
      )}
    </Card>
  );
}

function Lines({ lines }: { lines: readonly LogLine[] }): ReactNode {
  const hiddenCount = lines.length - maxLines;
  return (
    <>
      {hiddenCount > 0 ? (
        <p className="text-sm text-soft">{messages.earlierLines(hiddenCount)}</p>
      ) : null}
      <ol
        // A scrollable region has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1, which axe checks.
        tabIndex={0}
        aria-label={messages.title}
        className="max-h-96 overflow-auto rounded-lg bg-raised p-3 font-mono text-xs"
      >
        {lines.slice(-maxLines).map(({ at, level, message }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- The log is complete, so the order is stable.
          <li key={index} className={classes("flex gap-3", levelStyles[level])}>
            <time dateTime={at} title={at} className="shrink-0 text-soft">
              {formatTime(at, "millisecond")}
            </time>
            <span className="min-w-0 whitespace-pre-wrap">
              {level === "info" ? null : <span className="font-medium">{level} </span>}
              {toPlainText(message.slice(0, maxLineLength))}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function DownloadButton({ runId, lines }: { runId: string; lines: readonly LogLine[] }): ReactNode {
  const save = () => {
    const text = lines.map(({ at, level, message }) => `${at} ${level} ${message}\n`).join("");
    saveFile(new Blob([text], { type: "text/plain" }), `log-${runId.slice(-8)}.txt`);
  };
  return (
    <Button look="quiet" onPress={save}>
      <Download size={16} aria-hidden />
      {messages.download}
    </Button>
  );
}
