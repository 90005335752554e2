import type { JsonObject } from "@toolhost/contract";
import type { RunState } from "@toolhost/ui";
import { createContext, use, useCallback, useMemo, useRef, useState } from "react";
import type { CodeMarker } from "../editor/code-marker.ts";
import { markersOfRun } from "./code-markers.ts";

type Ended = Exclude<RunState, { status: "idle" | "running" }>;

/** A run that has ended, with what it was given. */
type EndedRun = { state: Ended; input: JsonObject };

/** Runs of the draft, for all parts of the page. */
export type DraftRuns = {
  /** Places in the code that the last run, or building it, complained of. */
  markers: readonly CodeMarker[];
  /** Told of every state of a run. */
  notice: (state: RunState, input: JsonObject) => void;
  /** Shows what building said, wherever it was asked for. */
  setMarkers: (markers: readonly CodeMarker[]) => void;
  last: EndedRun | undefined;
  /** Whether a run that was begun here has not ended. */
  isRunning: boolean;
  /** Sends the form, as a press on its button does. */
  submit: () => void;
  setSubmit: (submit: (() => void) | undefined) => void;
};

/** Makes what the parts of the page share of runs. */
export function useDraftRuns(): DraftRuns {
  const [markers, setMarkers] = useState<readonly CodeMarker[]>([]);
  const [last, setLast] = useState<EndedRun>();
  const [isRunning, setRunning] = useState(false);
  const submitRef = useRef<(() => void) | undefined>(undefined);
  const notice = useCallback((state: RunState, input: JsonObject) => {
    setMarkers(markersOfRun(state));
    if (state.status === "idle") return;
    setRunning(state.status === "running");
    setLast(state.status === "running" ? undefined : { state, input });
  }, []);
  const setSubmit = useCallback((submit: (() => void) | undefined) => {
    submitRef.current = submit;
  }, []);
  const submit = useCallback(() => submitRef.current?.(), []);
  return useMemo(
    () => ({ markers, notice, setMarkers, last, isRunning, submit, setSubmit }),
    [markers, notice, last, isRunning, submit, setSubmit],
  );
}

export const RunContext = createContext<(DraftRuns & { runNow: () => void }) | undefined>(
  undefined,
);

/** Runs of the draft that is open. Throws outside of its page. */
export function useRunContext(): DraftRuns & { runNow: () => void } {
  const running = use(RunContext);
  if (running === undefined) throw new Error("No draft is open");
  return running;
}
