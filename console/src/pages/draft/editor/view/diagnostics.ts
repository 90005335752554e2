import { forEachDiagnostic, setDiagnostics } from "@codemirror/lint";
import type { Diagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { CodeMarker } from "../code-marker.ts";
import type { Problem } from "../compiler/answers.ts";

type Marked = Diagnostic & { code?: number };
type ProblemAt = { from: number; to: number; code: number; message: string };

/** Underlines the problems of the compiler, and the errors of a run. */
export function showProblems(
  view: EditorView,
  problems: readonly Problem[],
  markers: readonly CodeMarker[],
): void {
  const { doc } = view.state;
  const within = (at: number) => Math.min(at, doc.length);
  const found: Marked[] = problems.map(({ from, to, severity, message, tag, code }) => ({
    from: within(from),
    to: within(to),
    severity,
    message,
    code,
    ...(tag === undefined ? {} : { markClass: `cm-${tag}` }),
  }));
  const failed = markers.map(({ line, column, message }): Marked => {
    const { from, to, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const start = column === undefined ? text.search(/\S|$/) : column - 1;
    return { from: Math.min(from + start, to), to, severity: "error", message };
  });
  view.dispatch(setDiagnostics(view.state, [...found, ...failed]));
}

/** The problems of the compiler at a position, or else on its line. */
export function problemsAt(state: EditorState, at: number): ProblemAt[] {
  const here: ProblemAt[] = [];
  const onLine: typeof here = [];
  const line = state.doc.lineAt(at);
  forEachDiagnostic(state, (one: Marked, from, to) => {
    if (one.code === undefined) return;
    const found = { from, to, code: one.code, message: one.message };
    if (from <= at && at <= to) here.push(found);
    else if (from <= line.to && to >= line.from) onLine.push(found);
  });
  return [...here, ...onLine];
}
