import type { ReactNode } from "react";
import { useEffect, useId, useRef } from "react";
import { classes } from "#lib/class-names";
import { openFile } from "./language.ts";
import type { CodeMarker } from "./code-marker.ts";
import { messages } from "./messages.ts";
import { editor, KeyCode, KeyMod, MarkerSeverity, Uri } from "./monaco.ts";

/** Controls of an open editor. */
export type EditorHandle = { goTo(line: number, column: number): void };

type CodeEditorProps = {
  /** The accessible name. */
  label: string;
  /** The path of the file; its undo history is stored under it. */
  path: string;
  language: "typescript" | "javascript" | "json";
  value: string;
  onChange?: (value: string) => void;
  markers?: readonly CodeMarker[];
  onRun?: () => void;
  onSave?: () => void;
  onReady?: (handle: EditorHandle) => void;
  isReadOnly?: boolean;
  className?: string;
};

/** A code editor. Tab indents; Escape and then Tab leaves it. */
export default function CodeEditor({
  label,
  path,
  language,
  value,
  onChange,
  markers,
  onRun,
  onSave,
  onReady,
  isReadOnly = false,
  className,
}: CodeEditorProps): ReactNode {
  const containerRef = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const latest = useRef({ value, onChange, onRun, onSave, onReady });
  useEffect(() => {
    latest.current = { value, onChange, onRun, onSave, onReady };
  });
  useEffect(() => {
    const container = containerRef.current;
    if (container === null) return undefined;
    const model = openFile(path, language, latest.current.value);
    const instance = editor.create(container, {
      ...options,
      model,
      readOnly: isReadOnly,
      ariaLabel: label,
    });
    const input = container.querySelector("textarea, [role=textbox]");
    input?.setAttribute("aria-describedby", hintId);
    const changes = model.onDidChangeContent(() => latest.current.onChange?.(model.getValue()));
    instance.addCommand(KeyMod.CtrlCmd | KeyCode.Enter, () => latest.current.onRun?.());
    instance.addCommand(KeyMod.CtrlCmd | KeyCode.KeyS, () => latest.current.onSave?.());
    const keys = leaveOnTabAfterEscape(instance);
    latest.current.onReady?.({
      goTo: (lineNumber, column) => {
        instance.revealLineInCenterIfOutsideViewport(lineNumber);
        instance.setPosition({ lineNumber, column });
        instance.focus();
      },
    });
    return () => {
      keys.dispose();
      changes.dispose();
      instance.dispose();
    };
  }, [path, language, label, isReadOnly, hintId]);
  useEffect(() => {
    const model = editor.getModel(Uri.file(path));
    // The value was changed elsewhere, such as in another tab; typed text is already in the model.
    if (model !== null && model.getValue() !== value)
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text: value }], () => null);
  }, [path, value]);
  useEffect(() => {
    const model = editor.getModel(Uri.file(path));
    if (model === null) return;
    const found = (markers ?? []).map(({ line, column, message }) => {
      const last = model.getLineCount();
      const startLineNumber = Math.min(Math.max(line, 1), last);
      return {
        severity: MarkerSeverity.Error,
        message,
        startLineNumber,
        startColumn: column ?? model.getLineFirstNonWhitespaceColumn(startLineNumber),
        endLineNumber: startLineNumber,
        endColumn: model.getLineMaxColumn(startLineNumber),
      };
    });
    editor.setModelMarkers(model, "toolhost", found);
  }, [path, markers]);
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

const options = {
  automaticLayout: true,
  fontSize: 13,
  lineHeight: 20,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  fixedOverflowWidgets: true,
  renderLineHighlight: "line",
  overviewRulerLanes: 0,
  tabSize: 2,
  padding: { top: 10, bottom: 10 },
  scrollbar: { alwaysConsumeMouseWheel: false },
  wordWrap: "on",
  stickyScroll: { enabled: false },
  quickSuggestions: { strings: true, other: true, comments: false },
} as const;

/** After Escape, Tab moves the focus out of the editor instead of indenting, until another key is pressed. */
function leaveOnTabAfterEscape(instance: ReturnType<typeof editor.create>): { dispose(): void } {
  const keys = instance.onKeyDown(({ keyCode }) => {
    if (keyCode === KeyCode.Escape) instance.updateOptions({ tabFocusMode: true });
    else if (keyCode !== KeyCode.Tab && keyCode !== KeyCode.Shift)
      instance.updateOptions({ tabFocusMode: false });
  });
  const focus = instance.onDidBlurEditorText(() => instance.updateOptions({ tabFocusMode: false }));
  return {
    dispose: () => {
      keys.dispose();
      focus.dispose();
    },
  };
}
