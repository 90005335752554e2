import { javascript } from "@codemirror/lang-javascript";
import { EditorState, Prec, StateEffect } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import type { KeyBinding } from "@codemirror/view";
import type { ReactNode } from "react";
import { useEffect, useId, useRef, useState } from "react";
import { classes } from "#lib/class-names";
import type { CodeMarker } from "./code-marker.ts";
import { checkSoon, openCode } from "./language.ts";
import { messages } from "./messages.ts";
import { onProblems, openFile, openFileAt } from "./open-files.ts";
import type { FindHelp } from "./problem-help.ts";
import { basics, leaveOnTabAfterEscape } from "./view/basics.ts";
import { completion } from "./view/completion.ts";
import { showProblems } from "./view/diagnostics.ts";
import { hover } from "./view/hover.ts";
import { json } from "./view/json.ts";
import { navigation } from "./view/navigation.ts";
import { replaceText } from "./view/replace-text.ts";

/** Controls of an open editor. */
export type EditorHandle = { goTo(line: number, column: number): void };

type CodeEditorProps = {
  /** The accessible name. */
  label: string;
  /** The path of the file; its undo history is stored under it. */
  path: string;
  language: "typescript" | "javascript" | "json";
  value: string;
  onChange: (value: string) => void;
  markers?: readonly CodeMarker[];
  /** Offers fixes besides those of the compiler. */
  findHelp?: FindHelp;
  onRun?: () => void;
  onSave: () => void;
  onReady?: (handle: EditorHandle) => void;
  className?: string;
};

const noMarkers: readonly CodeMarker[] = [];

/** A code editor. Tab indents; Escape and then Tab leaves it. */
export default function CodeEditor({
  label,
  path,
  language,
  value,
  onChange,
  markers = noMarkers,
  findHelp,
  onRun,
  onSave,
  onReady,
  className,
}: CodeEditorProps): ReactNode {
  const containerRef = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView>();
  const hintId = useId();
  const latest = useRef({ value, findHelp, onChange, onRun, onSave, onReady });
  useEffect(() => {
    latest.current = { value, findHelp, onChange, onRun, onSave, onReady };
  });
  useEffect(() => {
    const container = containerRef.current;
    if (container === null) return undefined;
    const file = openFile(path, latest.current.value);
    if (language !== "json") openCode(path, latest.current.value);
    const opened = new EditorView({
      parent: container,
      state: restore(file, [
        Prec.highest(
          keymap.of([
            bind("Mod-Enter", () => latest.current.onRun?.()),
            bind("Mod-s", () => latest.current.onSave()),
          ]),
        ),
        extensionsFor(path, language, (...problem) => latest.current.findHelp?.(...problem)),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": hintId }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged) return;
          file.text = state.doc.toString();
          if (language !== "json") checkSoon(path);
          if (file.text !== latest.current.value) latest.current.onChange(file.text);
        }),
      ]),
    });
    setView(opened);
    latest.current.onReady?.({ goTo: (line, column) => goTo(opened, line, column) });
    return () => {
      file.state = opened.state;
      opened.destroy();
      setView(undefined);
    };
  }, [path, language, label, hintId]);
  useEffect(() => {
    // The value was changed elsewhere, such as in another tab; typed text is already in the editor.
    if (view !== undefined) replaceText(view, value);
  }, [view, value]);
  useEffect(() => {
    if (view === undefined || language === "json") return undefined;
    const show = () => showProblems(view, openFileAt(path)?.problems ?? [], markers);
    show();
    return onProblems(show);
  }, [view, path, language, markers]);
  return (
    <div className={classes("flex min-h-0 flex-col", className)}>
      <div ref={containerRef} className="min-h-48 flex-1 overflow-hidden" />
      <p id={hintId} className="border-t border-line px-3 py-1 text-xs text-soft">
        {messages.keyboardHint}
        {onRun === undefined ? "" : ` ${messages.runHint}`}
      </p>
    </div>
  );
}

/** The state in which the file was last shown, with its undo history, or a new one. */
function restore({ state, text }: ReturnType<typeof openFile>, extensions: Extension): EditorState {
  if (state === undefined) return EditorState.create({ doc: text, extensions });
  return state.update({ effects: StateEffect.reconfigure.of(extensions) }).state;
}

function extensionsFor(
  path: string,
  language: CodeEditorProps["language"],
  findHelp: FindHelp,
): Extension {
  const code = () => [
    javascript({ typescript: language === "typescript" }),
    completion(path, findHelp),
    hover(path),
    navigation(path),
  ];
  return [leaveOnTabAfterEscape(), language === "json" ? json() : code(), basics];
}

function bind(key: string, act: () => void): KeyBinding {
  const run = () => {
    act();
    return true;
  };
  return { key, run };
}

function goTo(view: EditorView, lineNumber: number, column: number): void {
  const { doc } = view.state;
  const line = doc.line(Math.min(Math.max(lineNumber, 1), doc.lines));
  const anchor = Math.min(line.from + column - 1, line.to);
  view.dispatch({
    selection: { anchor },
    effects: EditorView.scrollIntoView(anchor, { y: "center" }),
  });
  view.focus();
}
