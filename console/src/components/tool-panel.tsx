import { useNavigate } from "@tanstack/react-router";
import type { JsonObject } from "@toolhost/contract";
import { createQuestionView, createToolView } from "@toolhost/ui";
import type { RunState, ShownTool, ToolView } from "@toolhost/ui";
import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { errorMessage } from "#api/problem";
import { uploadFile } from "#runs/files.ts";
import { answerQuestion, cancelRun, resultHost, useToolStyles } from "#runs/host.ts";
import { runTool } from "#runs/run-tool.ts";
import { messages } from "./messages-run.ts";
import type { RunTarget } from "#runs/run-tool.ts";

/** Controls of a mounted form. */
type PanelHandle = {
  submit: () => void;
  read: () => JsonObject;
  /** Hides the last run. */
  clear: () => void;
};

type ToolPanelProps = {
  tool: ShownTool;
  runTarget: RunTarget;
  /** The initial input. */
  input?: JsonObject;
  /** Runs before each run, such as saving a draft; an error stops the run and is shown. */
  beforeRun?: () => Promise<void>;
  /** Receives each state of a run, with its input. */
  onState?: (state: RunState, input: JsonObject) => void;
  /** Receives the input as it changes. */
  onInput?: (input: JsonObject) => void;
  /** Adds a credential that a run lacked, instead of the page to which its link leads. */
  onAddCredential?: (name: string) => void;
  /** Called once the form is mounted. */
  onReady?: (handle: PanelHandle) => void;
  /** Changes how a state is shown, where the page shows the rest of it. */
  transformState?: (state: RunState) => RunState;
  /** The state to show initially, from an earlier run. */
  initialState?: RunState | undefined;
  headingLevel?: 1 | 2 | 3;
};

function identity(state: RunState): RunState {
  return state;
}

/** A tool's form, and its run with live progress, logs and result. Give it a new `key` when the tool or its version changes. */
export function ToolPanel({
  tool,
  runTarget,
  input,
  beforeRun,
  onState,
  onInput,
  onAddCredential,
  onReady,
  transformState = identity,
  initialState,
  headingLevel = 2,
}: ToolPanelProps): ReactNode {
  useToolStyles();
  const containerRef = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const current = { runTarget, beforeRun, onState, onInput, onAddCredential, onReady, navigate };
  const latest = useRef(current);
  useEffect(() => {
    latest.current = current;
  });
  const first = useRef({ tool, input: input ?? {}, headingLevel, initialState, transformState });
  useEffect(() => {
    const controller = new AbortController();
    let started = Promise.withResolvers<string>();
    let isCancelled = false;
    let filled: JsonObject = {};
    const show = (state: RunState) => {
      if (controller.signal.aborted) return;
      view.show(first.current.transformState(state));
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
        signal: controller.signal,
        onState: show,
        onStart: started.resolve,
        isCancelled: () => isCancelled,
      });
    };
    const view: ToolView = createToolView(first.current.tool, first.current.input, {
      headingLevel: first.current.headingLevel,
      ...resultHost,
      upload: uploadFile,
      createQuestionView: () => createQuestionView(answerQuestion, first.current.tool.title),
      cancel: async () => {
        // A run without a record is cancelled as soon as it has one.
        isCancelled = true;
        await cancelRun(await started.promise);
      },
      ...(latest.current.onAddCredential === undefined
        ? {}
        : { addCredential: (name: string) => latest.current.onAddCredential?.(name) }),
      pageOf: (runId) => ({
        label: messages.openRun,
        url: `${location.origin}/runs/${runId}`,
        open: () => void latest.current.navigate({ to: "/runs/$runId", params: { runId } }),
      }),
      run: (given) => {
        run(given).catch((error: unknown) =>
          show({ status: "refused", message: errorMessage(error) }),
        );
      },
    });
    const container = containerRef.current;
    container?.replaceChildren(view.element);
    const read = () => latest.current.onInput?.(view.readInput());
    for (const name of ["input", "change", "click"]) container?.addEventListener(name, read);
    if (first.current.initialState !== undefined) {
      view.show(first.current.transformState(first.current.initialState));
    }
    latest.current.onReady?.({
      submit: () => view.submit(),
      read: () => view.readInput(),
      clear: () => view.show({ status: "idle" }),
    });
    return () => {
      for (const name of ["input", "change", "click"]) container?.removeEventListener(name, read);
      controller.abort();
    };
  }, []);
  return <div ref={containerRef} />;
}
