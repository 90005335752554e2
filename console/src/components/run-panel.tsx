import type { JsonObject, Run } from "@toolhost/contract";
import { createRunView } from "@toolhost/ui";
import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { followRun, finalStateOf } from "#runs/run-tool.ts";
import { cancelRun, resultHost, useToolStyles } from "#runs/host.ts";

/**
 * A run's progress and log while it is under way, then its result. It begins anew when `key` changes; `onEnd` is told when a run
 * that it followed has ended.
 */
export function RunPanel({
  run,
  outputSchema,
  mayCancel,
  onEnd,
}: {
  run: Run;
  /** In which order and with which words the result is shown. */
  outputSchema: JsonObject;
  mayCancel: boolean;
  onEnd: () => void;
}): ReactNode {
  useToolStyles();
  const containerRef = useRef<HTMLDivElement>(null);
  const first = useRef({ run, outputSchema, mayCancel, onEnd });
  useEffect(() => {
    const { run: shown, ...rest } = first.current;
    const closing = new AbortController();
    const view = createRunView(rest.outputSchema, {
      ...resultHost,
      cancel: rest.mayCancel ? () => cancelRun(shown.runId) : undefined,
    });
    containerRef.current?.replaceChildren(view.element);
    if (shown.status !== "running") {
      view.show(finalStateOf(shown));
      return undefined;
    }
    const onState = (state: Parameters<typeof view.show>[0]) => {
      if (closing.signal.aborted) return;
      view.show(state);
      if (state.status !== "running") rest.onEnd();
    };
    followRun(shown.runId, closing.signal, onState, shown.queued).catch(() => {
      // It is gone, or the page is: whoever asks for the record is told which.
      if (!closing.signal.aborted) rest.onEnd();
    });
    return () => closing.abort();
  }, []);
  // It stands in a card by itself, and needs no line above it.
  return (
    <div ref={containerRef} className="toolhost [&>.run]:mt-0! [&>.run]:border-0! [&>.run]:p-0!" />
  );
}
