import { ApiProblem } from "./problem.ts";

/** What a refusal says of one field of what was sent; `path` as in "/name". What is wrong below it counts as well. */
export function errorAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const found = error.errors.find((one) => one.path === path || one.path.startsWith(`${path}/`));
  return found === undefined ? undefined : sentenceOf(found.message);
}

/** Whether a refusal is about one of these fields, so that it need not be said a second time. */
export function isAbout(error: unknown, paths: readonly string[]): boolean {
  return paths.some((path) => errorAt(error, path) !== undefined);
}

/** What a check of the service says, as people say it. */
export function sentenceOf(message: string): string {
  return /^[A-Z]/.test(message) ? message : `It ${message}.`;
}
