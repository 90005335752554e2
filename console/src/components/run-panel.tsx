import type { JsonObject, Run } from "@toolhost/contract";
import { createQuestionView, createRunView } from "@toolhost/ui";
import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { followRun, finalStateOf } from "#runs/run-tool.ts";
import { answerQuestion, resultHost, useToolStyles } from "#runs/host.ts";

/** Shows the progress and logs of a run while it is running, then its result. The page has the button that cancels it. Give it a new `key` to start over. */
export function RunPanel({
  run,
  outputSchema,
  toolTitle,
  canAnswer,
  onEnd,
}: {
  run: Run;
  /** Defines the order and the labels of the result. */
  outputSchema: JsonObject;
  /** Undefined if it is unknown, as that of an archived tool. */
  toolTitle: string | undefined;
  /** Whether questions of the tool are for this user. */
  canAnswer: boolean;
  onEnd: () => void;
}): ReactNode {
  useToolStyles();
  const containerRef = useRef<HTMLDivElement>(null);
  const first = useRef({ run, outputSchema, toolTitle, canAnswer, onEnd });
  useEffect(() => {
    const { run: shown, ...rest } = first.current;
    const controller = new AbortController();
    const view = createRunView(rest.outputSchema, {
      ...resultHost,
      hasStatus: true,
      createQuestionView: () =>
        createQuestionView(rest.canAnswer ? answerQuestion : undefined, rest.toolTitle),
    });
    // The card around it is the region, and has a border.
    view.element.removeAttribute("aria-label");
    containerRef.current?.replaceChildren(view.element);
    if (shown.status !== "running") {
      view.show(finalStateOf(shown));
      return undefined;
    }
    const onState = (state: Parameters<typeof view.show>[0]) => {
      if (controller.signal.aborted) return;
      view.show(state);
      if (state.status !== "running") rest.onEnd();
    };
    followRun(shown.runId, controller.signal, onState, shown.queued).catch(() => {
      // The run could not be followed; reloading its record shows why.
      if (!controller.signal.aborted) rest.onEnd();
    });
    return () => controller.abort();
  }, []);
  return (
    <div ref={containerRef} className="toolhost [&>.run]:mt-0! [&>.run]:border-0! [&>.run]:p-0!" />
  );
}
