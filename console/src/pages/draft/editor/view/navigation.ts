import { EditorSelection } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap, showDialog } from "@codemirror/view";
import type { Span } from "../compiler/answers.ts";
import { ask } from "../language.ts";
import { messages } from "../messages.ts";
import { applyEdits } from "./completion.ts";

/** Goes to definitions, selects all uses of a name, renames it, and formats the code. */
export function navigation(path: string): Extension {
  const define = (view: EditorView, at: number) => {
    ask("define", path, at)
      .then((found) => (found === undefined ? undefined : select(view, [found])))
      .catch(() => undefined);
    return true;
  };
  const selectUses = (view: EditorView) => {
    ask("findReferences", path, view.state.selection.main.head)
      .then((found) => select(view, found))
      .catch(() => undefined);
    return true;
  };
  const format = (view: EditorView) => {
    const { doc } = view.state;
    ask("format", path)
      .then((edits) => (view.state.doc === doc ? applyEdits(view, edits) : undefined))
      .catch(() => undefined);
    return true;
  };
  return [
    keymap.of([
      { key: "F12", run: (view) => define(view, view.state.selection.main.head) },
      { key: "Shift-F12", run: selectUses },
      { key: "F2", run: (view) => rename(view, path) },
      { key: "Shift-Alt-f", run: format },
    ]),
    // Ctrl or Command with a click goes to a definition, so Alt adds a cursor, and Alt with Shift selects a rectangle.
    EditorView.clickAddsSelectionRange.of(({ altKey, shiftKey }) => altKey && !shiftKey),
    EditorView.domEventHandlers({
      mousedown: (event, view) => {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const at = view.posAtCoords(event);
        return at !== null && define(view, at);
      },
    }),
  ];
}

function select(view: EditorView, spans: readonly Span[]): void {
  if (spans.length === 0 || spans.some(({ to }) => to > view.state.doc.length)) return;
  const ranges = spans.map(({ from, to }) => EditorSelection.range(from, to));
  view.dispatch({ selection: EditorSelection.create(ranges), scrollIntoView: true });
}

/** Changes a name and all its uses, after a dialog for the new one. */
function rename(view: EditorView, path: string): boolean {
  const { head } = view.state.selection.main;
  const { from, to } = view.state.wordAt(head) ?? { from: head, to: head };
  const before = view.state.sliceDoc(from, to);
  if (before === "") return false;
  const { result } = showDialog(view, {
    label: messages.rename,
    submitLabel: messages.renameButton,
    input: { name: "name", type: "text", value: before, pattern: "[\\p{L}_$][\\p{L}\\p{N}_$]*" },
    focus: true,
    top: true,
  });
  const apply = async () => {
    const name = (await result)?.elements.namedItem("name");
    view.focus();
    if (!(name instanceof HTMLInputElement) || name.value === before || name.value === "") return;
    const edits = await ask("rename", path, from, name.value);
    if (edits !== undefined) applyEdits(view, edits);
  };
  apply().catch(() => undefined);
  return true;
}
