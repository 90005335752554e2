import { searchParams, text } from "#lib/search-params";

/** `with` is the ID of the other run. */
export const validateCompareSearch = searchParams({ with: text });
