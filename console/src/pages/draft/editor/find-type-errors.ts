import { editor, MarkerSeverity, Uri } from "./monaco.ts";

/** The type errors of a file that is or was open in the editor, by line; undefined if it never was. */
export function findTypeErrors(path: string): { line: number; message: string }[] | undefined {
  const resource = Uri.file(path);
  if (editor.getModel(resource) === null) return undefined;
  return editor
    .getModelMarkers({ resource })
    .filter(({ severity }) => severity === MarkerSeverity.Error)
    .map(({ startLineNumber, message }) => ({ line: startLineNumber, message }));
}
