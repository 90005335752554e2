import { searchParams, text } from "#lib/search-params";

export const validateInstallSearch = searchParams({ client: text });
