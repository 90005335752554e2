import { useQuery } from "@tanstack/react-query";
import type { JsonObject, LogLine } from "@toolhost/contract";
import type { RunState } from "@toolhost/ui";
import { toPlainText } from "@toolhost/ui/visible-text";
import { BookmarkPlus } from "lucide-react";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { Button } from "#components/button";
import { showToast } from "#components/toasts";
import { formatDuration } from "#lib/format";
import { DefinitionProblems } from "../definition/definition-problems.tsx";
import { objectsAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { messages as allMessages } from "./messages.ts";
import { useRunContext } from "./run-context.ts";

const messages = allMessages.lastRun;

const maxExamples = 20;
const maxLogLines = 200;
const maxLineLength = 4_000;

/** Details of the last run: its duration, requests and logs; or the errors that prevented it. */
export function LastRun(): ReactNode {
  const { last } = useRunContext();
  const { state } = last ?? {};
  if (state?.status === "refused" && state.isAboutTool === true && state.errors !== undefined)
    return state.errors.length === 0 ? null : <DefinitionProblems problems={state.errors} />;
  const runId = state !== undefined && "runId" in state ? state.runId : undefined;
  return runId === undefined ? null : <RunDetails key={runId} runId={runId} />;
}

function RunDetails({ runId }: { runId: string }): ReactNode {
  const { definition, change } = useDraft();
  const { last } = useRunContext();
  const { data: run } = useQuery(itemQuery("/runs/{runId}", { params: { runId } }));
  const { data: log = [] } = useQuery(itemQuery("/runs/{runId}/logs", { params: { runId } }));
  const examples = objectsAt(definition, "examples");
  const { state, input } = last ?? {};
  const saveExample = () => {
    if (state === undefined || input === undefined) return;
    const outcome = outcomeOf(state);
    if (outcome === undefined) return;
    change({ examples: [...examples, { input, ...outcome }] });
    showToast(messages.exampleSaved);
  };
  return (
    <section aria-label={messages.label} className="grid gap-3 border-t border-line pt-3">
      <div className="flex flex-wrap items-center gap-2">
        {state !== undefined && outcomeOf(state) !== undefined ? (
          <Button onPress={saveExample} isDisabled={examples.length >= maxExamples}>
            <BookmarkPlus size={16} aria-hidden />
            {messages.saveExample}
          </Button>
        ) : null}
        {run?.durationMs == null ? null : (
          <span className="text-sm text-soft">
            {messages.duration(formatDuration(run.durationMs))}
          </span>
        )}
      </div>
      {run === undefined || run.egress.length === 0 ? null : (
        <p className="text-sm text-soft">
          {run.egress
            .map(({ host, requests, refused }) =>
              refused > 0 ? messages.refused(host, refused) : messages.requests(host, requests),
            )
            .join(", ")}
        </p>
      )}
      {log.length === 0 ? null : <Log lines={log.slice(-maxLogLines)} />}
    </section>
  );
}

/** What an example of a run says of its end; undefined if it has none that can be expected. */
function outcomeOf(state: RunState): JsonObject | undefined {
  if (state.status === "completed") return { output: state.output };
  if (state.status !== "failed" || state.code === undefined) return undefined;
  return { expect: { type: "failure", code: state.code } };
}

function Log({ lines }: { lines: readonly LogLine[] }): ReactNode {
  return (
    <div className="grid gap-1">
      <h3 className="text-sm font-medium">{messages.log}</h3>
      <pre
        // A scrollable region has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1, which axe checks.
        tabIndex={0}
        aria-label={messages.log}
        className="max-h-60 overflow-auto rounded-lg bg-raised p-3 font-mono text-xs whitespace-pre-wrap"
      >
        {lines
          .map(({ level, message }) => {
            const text = toPlainText(message.slice(0, maxLineLength));
            return level === "info" ? text : `[${level}] ${text}`;
          })
          .join("\n")}
      </pre>
    </div>
  );
}
