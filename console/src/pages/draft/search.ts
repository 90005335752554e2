import { oneOf, searchParams } from "#lib/search-params";

const draftTabs = ["code", "input", "output", "access", "details", "examples", "run"] as const;
export type DraftTab = (typeof draftTabs)[number];

/** `as` is how the schemas are shown: without it, as fields. */
export const validateDraftSearch = searchParams({ tab: oneOf(draftTabs), as: oneOf(["json"]) });
