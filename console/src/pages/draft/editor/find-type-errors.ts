import { openFileAt } from "./open-files.ts";

/** The type errors of a file that is or was open in the editor, by line; undefined if it never was. */
export function findTypeErrors(path: string): { line: number; message: string }[] | undefined {
  return openFileAt(path)
    ?.problems?.filter(({ severity }) => severity === "error")
    .map(({ line, message }) => ({ line, message }));
}
