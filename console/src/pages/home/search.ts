import { oneOf, searchParams, text } from "#lib/search-params";

export const validateHomeSearch = searchParams({
  q: text,
  show: oneOf(["mine", "shared", "installed", "archived"]),
});
