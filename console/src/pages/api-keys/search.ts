import { oneOf, searchParams } from "#lib/search-params";

/** Without `owner`, the user's own keys are listed. */
export const validateApiKeysSearch = searchParams({ owner: oneOf(["anyone"]) });
