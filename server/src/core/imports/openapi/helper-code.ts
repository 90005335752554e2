import { requestHelpers } from "./request-helpers.ts";
import { responseHelpers } from "./response-helpers.ts";

/** Functions that generated tools have below their main function. Each tool has those that it uses. */
export type HelperName = keyof typeof helpers;

type Helper = { uses: readonly string[]; code: string };

const helpers = { ...requestHelpers, ...responseHelpers };

/** The code of the named helpers, and of those that they use. */
export function helperCode(names: ReadonlySet<HelperName>): string {
  const all: Readonly<Record<string, Helper>> = helpers;
  const found = new Set<string>(names);
  for (const name of found) for (const used of all[name]?.uses ?? []) found.add(used);
  return Object.entries(all)
    .filter(([name]) => found.has(name))
    .map(([, { code }]) => code)
    .join("\n\n");
}
