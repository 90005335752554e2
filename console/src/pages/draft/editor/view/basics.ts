import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
} from "@codemirror/language";
import { lintKeymap, previousDiagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { messages } from "../messages.ts";
import { theme } from "./theme.ts";

/** What every editor has, whatever its language. */
export const basics: Extension = [
  lineNumbers(),
  foldGutter(),
  codeFolding(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  highlightSelectionMatches(),
  history(),
  drawSelection(),
  dropCursor(),
  rectangularSelection({
    eventFilter: ({ altKey, shiftKey, button }) => altKey && shiftKey && button === 0,
  }),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  search({ top: true }),
  EditorState.allowMultipleSelections.of(true),
  EditorState.tabSize.of(2),
  EditorState.phrases.of(messages.phrases),
  EditorView.lineWrapping,
  theme,
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...lintKeymap,
    { key: "Shift-F8", run: previousDiagnostic },
    ...defaultKeymap,
    indentWithTab,
  ]),
];

/** After Escape, Tab moves the focus out of the editor instead of indenting, until another key is pressed. */
export function leaveOnTabAfterEscape(): Extension {
  let isLeaving = false;
  const stay = (view: EditorView) => {
    if (isLeaving) view.setTabFocusMode(false);
    isLeaving = false;
  };
  return EditorView.domEventObservers({
    keydown: ({ key }, view) => {
      if (key === "Escape") {
        isLeaving = true;
        view.setTabFocusMode(true);
      } else if (key !== "Tab" && key !== "Shift") stay(view);
    },
    blur: (_event, view) => stay(view),
  });
}
