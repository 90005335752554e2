import { ApiProblem } from "./problem.ts";

/** What a refusal says of one field of what was sent; `path` as in "/name". What is wrong below it counts as well. */
export function fieldError(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const found = error.errors.find((one) => one.path === path || one.path.startsWith(`${path}/`));
  return found === undefined ? undefined : toSentence(found.message);
}

/** Whether a refusal is about one of these fields, so that it need not be said a second time. */
export function hasFieldError(error: unknown, paths: readonly string[]): boolean {
  return paths.some((path) => fieldError(error, path) !== undefined);
}

/** What a check of the service says, as people say it. */
export function toSentence(message: string): string {
  return /^[A-Z]/.test(message) ? message : `It ${message}.`;
}
