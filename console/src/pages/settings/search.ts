import { oneOf, searchParams } from "#lib/search-params";

/** `make` opens the dialog for a new workspace. */
export const validateSettingsSearch = searchParams({ make: oneOf(["workspace"]) });
