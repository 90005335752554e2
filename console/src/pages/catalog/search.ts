import { searchParams, text } from "#lib/search-params";

export const validateCatalogSearch = searchParams({ q: text });
