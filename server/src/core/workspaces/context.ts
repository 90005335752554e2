import type { DraftsContext } from "#core/drafts";

export type WorkspacesContext = DraftsContext;
