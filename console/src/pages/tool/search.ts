import { oneOf, positiveInteger, searchParams, text } from "#lib/search-params";

const toolTabs = ["run", "docs", "use", "runs", "versions", "sharing", "source"] as const;
export type ToolTab = (typeof toolTabs)[number];

/**
 * `version` is shown, compared with `with` if given. `input` is a JSON object to fill the form with, `again` the ID of a run
 * whose input to use.
 */
export const validateToolSearch = searchParams({
  tab: oneOf(toolTabs),
  version: positiveInteger,
  with: positiveInteger,
  input: text,
  again: text,
});
