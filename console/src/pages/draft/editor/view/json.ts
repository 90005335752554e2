import { json as jsonLanguage, jsonParseLinter } from "@codemirror/lang-json";
import { linter } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { EditorView } from "@codemirror/view";
import { parseJson, prettyJson } from "#lib/json";

/** JSON with its syntax errors. The same shortcut as for code formats it. */
export function json(): Extension {
  return [
    jsonLanguage(),
    linter(jsonParseLinter()),
    keymap.of([{ key: "Shift-Alt-f", run: format }]),
  ];
}

function format(view: EditorView): boolean {
  const { doc } = view.state;
  const value = parseJson(doc.toString());
  if (value === undefined) return false;
  view.dispatch({
    changes: { from: 0, to: doc.length, insert: prettyJson(value) },
    userEvent: "input",
  });
  return true;
}
