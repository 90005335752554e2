import type { JsonObject } from "@toolhost/contract";
import type { RunState } from "@toolhost/ui";
import { createContext, use, useCallback, useMemo, useRef, useState } from "react";
import type { CodeMark } from "../editor/marks.ts";
import { marksOf } from "./marks-of.ts";

type Ended = Exclude<RunState, { status: "idle" | "running" }>;

/** A run that has ended, with what it was given. */
type EndedRun = { state: Ended; input: JsonObject };

/** Runs of the draft, for all parts of the page. */
export type Running = {
  /** Places in the code that the last run, or building it, complained of. */
  marks: readonly CodeMark[];
  /** Told of every state of a run. */
  notice: (state: RunState, input: JsonObject) => void;
  /** Shows what building said, wherever it was asked for. */
  setMarks: (marks: readonly CodeMark[]) => void;
  last: EndedRun | undefined;
  /** Whether a run that was begun here has not ended. */
  isRunning: boolean;
  /** Sends the form, as a press on its button does. */
  submit: () => void;
  setSubmit: (submit: (() => void) | undefined) => void;
};

/** Makes what the parts of the page share of runs. */
export function useRunning(): Running {
  const [marks, setMarks] = useState<readonly CodeMark[]>([]);
  const [last, setLast] = useState<EndedRun>();
  const [isRunning, setRunning] = useState(false);
  const submitRef = useRef<(() => void) | undefined>(undefined);
  const notice = useCallback((state: RunState, input: JsonObject) => {
    setMarks(marksOf(state));
    if (state.status === "idle") return;
    setRunning(state.status === "running");
    setLast(state.status === "running" ? undefined : { state, input });
  }, []);
  const setSubmit = useCallback((submit: (() => void) | undefined) => {
    submitRef.current = submit;
  }, []);
  const submit = useCallback(() => submitRef.current?.(), []);
  return useMemo(
    () => ({ marks, notice, setMarks, last, isRunning, submit, setSubmit }),
    [marks, notice, last, isRunning, submit, setSubmit],
  );
}

export const RunContext = createContext<(Running & { runNow: () => void }) | undefined>(undefined);

/** Runs of the draft that is open. Throws outside of its page. */
export function useRunContext(): Running & { runNow: () => void } {
  const running = use(RunContext);
  if (running === undefined) throw new Error("No draft is open");
  return running;
}
