import { oneOf, searchParams } from "#lib/search-params";

/** Without `owner`, the user's own apps are listed. */
export const validateConnectedAppsSearch = searchParams({ owner: oneOf(["anyone"]) });
