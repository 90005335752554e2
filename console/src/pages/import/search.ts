import { oneOf, searchParams, text } from "#lib/search-params";

const importTabs = ["items", "changes"] as const;
export type ImportTab = (typeof importTabs)[number];

const importedChoices = ["yes", "no"] as const;

/** `q`, `tag` and `imported` filter the items; `tool` selects the change of one tool. */
export const validateImportSearch = searchParams({
  tab: oneOf(importTabs),
  q: text,
  tag: text,
  imported: oneOf(importedChoices),
  tool: text,
});
export type ImportSearch = ReturnType<typeof validateImportSearch>;
