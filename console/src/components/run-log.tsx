import { useQuery } from "@tanstack/react-query";
import type { LogLine } from "@toolhost/contract";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { Button } from "./button.tsx";
import { Card, ProblemNote, Skeleton } from "./page.tsx";
import { classes } from "#lib/class-names";
import { saveFile } from "#lib/save-file";

const maxLines = 1_000;
const maxLineLength = 4_000;

const looks: Record<LogLine["level"], string> = {
  debug: "text-soft",
  info: "",
  warn: "text-warn",
  error: "text-bad",
};

/** What the tool wrote while it ran; of a long log the end, and all of it as a file. */
export function RunLog({ runId }: { runId: string }): ReactNode {
  const { data, error, refetch } = useQuery(itemQuery("/runs/{runId}/logs", { params: { runId } }));
  return (
    <Card
      title="Log"
      actions={data === undefined || data.length === 0 ? null : <Save runId={runId} lines={data} />}
    >
      {error !== null ? (
        <ProblemNote error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={1} />
      ) : data.length === 0 ? (
        <p className="text-sm text-soft">It wrote nothing. A tool writes with console.log.</p>
      ) : (
        <Lines lines={data} />
      )}
    </Card>
  );
}

function Lines({ lines }: { lines: readonly LogLine[] }): ReactNode {
  const left = lines.length - maxLines;
  return (
    <>
      {left > 0 ? <p className="text-sm text-soft">{left} earlier lines are in the file.</p> : null}
      <ol
        // What can be scrolled has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1, as axe asks for it.
        tabIndex={0}
        aria-label="Log"
        className="max-h-96 overflow-auto rounded-lg bg-raised p-3 font-mono text-[13px]"
      >
        {lines.slice(-maxLines).map(({ at, level, message }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- A log only grows, and this one is whole.
          <li key={index} className={classes("flex gap-3", looks[level])}>
            <time dateTime={at} title={at} className="shrink-0 text-soft">
              {at.slice(11, 23)}
            </time>
            <span className="min-w-0 whitespace-pre-wrap">
              {level === "info" ? null : <span className="font-medium">{level} </span>}
              {message.slice(0, maxLineLength)}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Save({ runId, lines }: { runId: string; lines: readonly LogLine[] }): ReactNode {
  const save = () => {
    const text = lines.map(({ at, level, message }) => `${at} ${level} ${message}\n`).join("");
    saveFile(new Blob([text], { type: "text/plain" }), `log-${runId.slice(-8)}.txt`);
  };
  return (
    <Button look="quiet" onPress={save}>
      <Download size={16} aria-hidden />
      Save
    </Button>
  );
}
