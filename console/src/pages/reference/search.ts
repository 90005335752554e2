import { oneOf, searchParams, text } from "#lib/search-params";

export type ReferenceTab = "docs" | "try";

export const validateReferenceSearch = searchParams({
  q: text,
  operation: text,
  tab: oneOf<ReferenceTab>(["docs", "try"]),
});
