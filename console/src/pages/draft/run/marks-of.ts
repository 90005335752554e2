import type { ErrorDetail } from "@toolhost/contract";
import type { RunState } from "@toolhost/ui";
import type { CodeMark } from "../editor/marks.ts";

/** The places in the tool's own code that a run, or building it, complains of. */
export function marksOf(state: RunState): CodeMark[] {
  if (state.status === "refused") return marksOfErrors(state.errors ?? []);
  if (state.status !== "failed") return [];
  const [, line, column] = /\btool\.[tj]s:(\d+):(\d+)/.exec(state.stack ?? "") ?? [];
  if (line === undefined) return [];
  return [{ line: Number(line), column: Number(column), message: state.message }];
}

/** The same of the errors of a refusal that name a line of the code. */
export function marksOfErrors(errors: readonly Partial<ErrorDetail>[]): CodeMark[] {
  return errors.flatMap(({ file, line, column, message = "" }) =>
    line === undefined || (file !== undefined && !/^tool\.[tj]s$/.test(file))
      ? []
      : [{ line, column, message }],
  );
}
