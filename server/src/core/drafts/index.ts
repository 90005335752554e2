export { approveDraftContent, getDraftApprovals } from "./draft-approval.ts";
export { getDraftPackageTypes } from "./draft-package-types.ts";
export {
  countFreeDrafts,
  createDraft,
  deleteDraft,
  findDraftedItems,
  findChangeDrafts,
  findImportedDrafts,
  getDraft,
  listDrafts,
  planDraft,
  planImportedDraftDeletion,
  requireNoDraft,
  saveDraft,
} from "./drafts.ts";
export { listExampleResults, recordExampleResults } from "./example-results.ts";
export { planDraftPublication, publishDraft } from "./publish-draft.ts";
export { deleteUnusedDrafts } from "./delete-unused-drafts.ts";
export { runDraft } from "./run-draft.ts";
export { getTemplates } from "./templates.ts";
export type { DraftsContext } from "./context.ts";
