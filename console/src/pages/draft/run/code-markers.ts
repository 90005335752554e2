import type { ErrorDetail } from "@toolhost/contract";
import type { RunState } from "@toolhost/ui";
import type { CodeMarker } from "../editor/code-marker.ts";

/** Returns the positions in the tool's own code that a run, or its build, reported. */
export function markersOfRun(state: RunState): CodeMarker[] {
  if (state.status === "refused") return markersOfErrors(state.errors ?? []);
  if (state.status !== "failed") return [];
  const [, line, column] = /\btool\.[tj]s:(\d+):(\d+)/.exec(state.stack ?? "") ?? [];
  if (line === undefined) return [];
  return [{ line: Number(line), column: Number(column), message: state.message }];
}

/** Returns the positions of errors that name a line of the code. */
export function markersOfErrors(errors: readonly Partial<ErrorDetail>[]): CodeMarker[] {
  return errors.flatMap(({ file, line, column, message = "" }) =>
    line === undefined || (file !== undefined && !/^tool\.[tj]s$/.test(file))
      ? []
      : [{ line, column, message }],
  );
}
