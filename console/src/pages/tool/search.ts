import { oneOf, positiveInteger, searchParams, text } from "#lib/search-params";
import { statsRanges } from "../overview/search.ts";

const toolTabs = ["run", "docs", "use", "runs", "stats", "versions", "sharing", "source"] as const;
export type ToolTab = (typeof toolTabs)[number];

/**
 * `version` is shown, compared with `with` if given, with a mark on the `line` of its code. `input` is a JSON object to fill the form with, `again` the ID of a run
 * whose input to use, `range` the time that figures cover.
 */
export const validateToolSearch = searchParams({
  tab: oneOf(toolTabs),
  version: positiveInteger,
  with: positiveInteger,
  line: positiveInteger,
  input: text,
  again: text,
  range: oneOf(statsRanges),
});
