import type { EditorState } from "@codemirror/state";
import type { Problem } from "./compiler/answers.ts";

/** A file of the editor. It stays open while its tab is not shown, with its undo history. */
export type OpenFile = {
  readonly path: string;
  text: string;
  /** What the compiler found; undefined until the file has been checked once. */
  problems: readonly Problem[] | undefined;
  /** The state of the editor when it was last shown. */
  state?: EditorState;
  /** Called when the file is closed. */
  onClose?: () => void;
};

// Independent of the editor and the compiler, which may not be loaded.
const files = new Map<string, OpenFile>();
const listeners = new Set<() => void>();

/** Opens a file with this text. If it is open, its history and problems remain. */
export function openFile(path: string, text: string): OpenFile {
  const found: OpenFile = files.get(path) ?? { path, text, problems: undefined };
  found.text = text;
  files.set(path, found);
  return found;
}

/** The file of this path if it is open. */
export function openFileAt(path: string): OpenFile | undefined {
  return files.get(path);
}

/** The files of the code of tools that are open. */
export function openFiles(): readonly OpenFile[] {
  return [...files.values()];
}

/** Sets the problems of a file, unless it was closed meanwhile. */
export function setProblems(path: string, problems: readonly Problem[]): void {
  const file = files.get(path);
  if (file === undefined) return;
  file.problems = problems;
  for (const listener of listeners) listener();
}

/** Calls the listener after the problems of any file changed. */
export function onProblems(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Closes all files of a folder and drops their undo history. */
export function closeFiles(folder: string): void {
  for (const [path, { onClose }] of files) {
    if (!path.startsWith(`${folder}/`)) continue;
    files.delete(path);
    onClose?.();
  }
}
