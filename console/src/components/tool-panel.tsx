import type { JsonObject } from "@toolhost/contract";
import { createToolView } from "@toolhost/ui";
import type { RunState, ShownTool, ToolView } from "@toolhost/ui";
import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { errorMessage } from "#api/problem";
import { uploadFile } from "#runs/files.ts";
import { cancelRun, resultHost, useToolStyles } from "#runs/host.ts";
import { runTool } from "#runs/run-tool.ts";
import type { RunTarget } from "#runs/run-tool.ts";

/** What others do with the form that is shown. */
type PanelHandle = {
  submit: () => void;
  read: () => JsonObject;
  /** Takes away what is shown of the last run. */
  clear: () => void;
};

type ToolPanelProps = {
  tool: ShownTool;
  runTarget: RunTarget;
  /** What stands in the form at first. */
  input?: JsonObject;
  /** Done before each run, such as saving a draft; what it throws stops the run and is shown. */
  beforeRun?: () => Promise<void>;
  /** Told of every state, and of what was filled in. */
  onState?: (state: RunState, input: JsonObject) => void;
  /** Told of what is filled in, as it changes. */
  onInput?: (input: JsonObject) => void;
  /** Told once the form is there. */
  onReady?: (handle: PanelHandle) => void;
  /** Another way to show a state, where the page itself says more of it. */
  shownAs?: (state: RunState) => RunState;
  /** What is shown of an earlier run at first. */
  firstState?: RunState | undefined;
  headingLevel?: 1 | 2 | 3;
};

function asItIs(state: RunState): RunState {
  return state;
}

/**
 * A tool's form, and its run with live progress, log and result. It begins anew when `key` changes, so give it one of all
 * that makes it another tool: name and version.
 */
export function ToolPanel({
  tool,
  runTarget,
  input,
  beforeRun,
  onState,
  onInput,
  onReady,
  shownAs = asItIs,
  firstState,
  headingLevel = 2,
}: ToolPanelProps): ReactNode {
  useToolStyles();
  const containerRef = useRef<HTMLDivElement>(null);
  const latest = useRef({ runTarget, beforeRun, onState, onInput, onReady });
  useEffect(() => {
    latest.current = { runTarget, beforeRun, onState, onInput, onReady };
  });
  const first = useRef({ tool, input: input ?? {}, headingLevel, firstState, shownAs });
  useEffect(() => {
    const closing = new AbortController();
    let started = Promise.withResolvers<string>();
    let isCancelled = false;
    let filled: JsonObject = {};
    const show = (state: RunState) => {
      if (closing.signal.aborted) return;
      view.show(first.current.shownAs(state));
      latest.current.onState?.(state, filled);
    };
    const run = async (given: JsonObject) => {
      filled = given;
      started = Promise.withResolvers();
      isCancelled = false;
      show({ status: "running" });
      await latest.current.beforeRun?.();
      await runTool({
        target: latest.current.runTarget,
        input: given,
        signal: closing.signal,
        onState: show,
        onStart: started.resolve,
        isCancelled: () => isCancelled,
      });
    };
    const view: ToolView = createToolView(first.current.tool, first.current.input, {
      headingLevel: first.current.headingLevel,
      ...resultHost,
      upload: uploadFile,
      cancel: async () => {
        // A run that has no record yet is ended as soon as it has one.
        isCancelled = true;
        await cancelRun(await started.promise);
      },
      pageOf: (id) => ({ label: "Open the run", url: `${location.origin}/runs/${id}` }),
      run: (given) => {
        run(given).catch((error: unknown) =>
          show({ status: "refused", message: errorMessage(error) }),
        );
      },
    });
    const place = containerRef.current;
    place?.replaceChildren(view.element);
    const read = () => latest.current.onInput?.(view.readInput());
    for (const name of ["input", "change", "click"]) place?.addEventListener(name, read);
    if (first.current.firstState !== undefined) {
      view.show(first.current.shownAs(first.current.firstState));
    }
    latest.current.onReady?.({
      submit: () => view.submit(),
      read: () => view.readInput(),
      clear: () => view.show({ status: "idle" }),
    });
    return () => {
      for (const name of ["input", "change", "click"]) place?.removeEventListener(name, read);
      closing.abort();
    };
  }, []);
  return <div ref={containerRef} />;
}
