import { oneOf, searchParams, text } from "#lib/search-params";

const importTabs = ["items", "changes"] as const;
export type ImportTab = (typeof importTabs)[number];

export const itemStates = ["tool", "draft", "none", "changed", "on_hold", "new"] as const;
export const itemMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** `q`, `tag`, `state` and `method` filter the items; `tool` selects the change of one tool. */
export const validateImportSearch = searchParams({
  tab: oneOf(importTabs),
  q: text,
  tag: text,
  state: oneOf(itemStates),
  method: oneOf(itemMethods),
  tool: text,
});
export type ImportSearch = ReturnType<typeof validateImportSearch>;
