import type { JsonObject } from "@toolhost/contract";
import type { RunState } from "@toolhost/ui";
import { createContext, use, useCallback, useMemo, useRef, useState } from "react";
import type { CodeMarker } from "../editor/code-marker.ts";
import type { ExampleRuns } from "../examples/use-example-runs.ts";
import { markersOfRun } from "./code-markers.ts";

type Ended = Exclude<RunState, { status: "idle" | "running" }>;

/** A finished run with its input. */
type EndedRun = { state: Ended; input: JsonObject };

/** What all parts of the page know of runs: how to start one, and the results of the examples. */
type SharedRuns = DraftRuns & { runNow: () => void; examples: ExampleRuns };

/** The runs of the draft, for all parts of the page. */
export type DraftRuns = {
  /** Positions in the code that the last run or build reported. */
  markers: readonly CodeMarker[];
  /** Receives each state of a run. */
  handleState: (state: RunState, input: JsonObject) => void;
  /** Sets the positions that a build reported. */
  setMarkers: (markers: readonly CodeMarker[]) => void;
  last: EndedRun | undefined;
  /** Whether a run started here is still in progress. */
  isRunning: boolean;
  /** Submits the run form. */
  submit: () => void;
  setSubmit: (submit: (() => void) | undefined) => void;
};

/** Creates the state of runs that the parts of the page share. */
export function useDraftRuns(): DraftRuns {
  const [markers, setMarkers] = useState<readonly CodeMarker[]>([]);
  const [last, setLast] = useState<EndedRun>();
  const [isRunning, setRunning] = useState(false);
  const submitRef = useRef<(() => void) | undefined>(undefined);
  const handleState = useCallback((state: RunState, input: JsonObject) => {
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
    () => ({ markers, handleState, setMarkers, last, isRunning, submit, setSubmit }),
    [markers, handleState, last, isRunning, submit, setSubmit],
  );
}

export const RunContext = createContext<SharedRuns | undefined>(undefined);

/** Returns the runs of the open draft. Throws outside the draft page. */
export function useRunContext(): SharedRuns {
  const runs = use(RunContext);
  if (runs === undefined) throw new Error("No draft is open");
  return runs;
}
