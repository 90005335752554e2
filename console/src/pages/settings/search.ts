import { oneOf, searchParams } from "#lib/search-params";

/** `create` opens the dialog for a new workspace. */
export const validateSettingsSearch = searchParams({ create: oneOf(["workspace"]) });
