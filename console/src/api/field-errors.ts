import { ApiProblem } from "./problem.ts";
import { messages } from "./messages.ts";

/** The error of a field, or of a value below it; `path` is a JSON pointer such as "/name". */
export function fieldError(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const found = error.errors.find((one) => one.path === path || one.path.startsWith(`${path}/`));
  return found === undefined ? undefined : toSentence(found.message);
}

/** Whether one of these fields shows the error, so that the form need not repeat it. */
export function hasFieldError(error: unknown, paths: readonly string[]): boolean {
  return paths.some((path) => fieldError(error, path) !== undefined);
}

/** Makes a sentence of a validation message such as "must be a host". */
export function toSentence(message: string): string {
  return /^[A-Z]/.test(message) ? message : messages.fieldError(message);
}
