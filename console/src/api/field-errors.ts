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

/** How the service's checks say it, and how people do. */
const words: readonly [RegExp, string][] = [
  [/^Too small: expected string to have >=1 characters$/, "It must not be empty."],
  [/^Too small: expected string to have >=(\d+) characters$/, "It needs at least $1 characters."],
  [/^Too big: expected string to have <=(\d+) characters$/, "It may have at most $1 characters."],
  [/^Too small: expected array to have >=1 items$/, "At least one is needed."],
  [/^Too small: expected \w+ to be >=?(\d+)$/, "It must be at least $1."],
  [/^Too big: expected \w+ to be <=?(\d+)$/, "It must be at most $1."],
  [/^Invalid input: expected \w+, received undefined$/, "It is needed."],
  [/^Invalid email address$/, "It is no e-mail address."],
];

/** What a check of the service says, as people say it. */
export function sentenceOf(message: string): string {
  for (const [pattern, sentence] of words) {
    if (pattern.test(message)) return message.replace(pattern, sentence);
  }
  return /^[A-Z]/.test(message) ? message : `It ${message}.`;
}
