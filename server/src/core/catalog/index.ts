export { alwaysAllow, getAlwaysAllowed, revokeAlwaysAllow } from "./approvals/always-allow.ts";
export { isOwnWork } from "./approvals/approval-store.ts";
export type { ApprovedVersion } from "./approvals/approve.ts";
export { approvalEvent } from "./approvals/approve.ts";
export type { DraftApproval } from "./approvals/draft-approvals.ts";
export { approveDraft, findDraftApprovals } from "./approvals/draft-approvals.ts";
export {
  approvedFor,
  subtractNeeds,
  hasNoNeeds,
  joinNeeds,
  needsOf,
  overlaps,
  readNeeds,
} from "./approvals/needs.ts";
export type { AuthoringContext, CatalogContext } from "./context.ts";
export { createCatalogState } from "./context.ts";
export { resolveSearches } from "./learning/resolve-searches.ts";
export { deleteSearches, findOwnSearches } from "./learning/search-store.ts";
export { getUnmetSearches } from "./learning/unmet-searches.ts";
export { acceptHarmlessUpdates, acceptUpdate, getInstall } from "./tools/accept-update.ts";
export { archiveTool, planArchive } from "./tools/archive-tool.ts";
export { deleteArchivedTool, getArchivedTools } from "./tools/archived-tools.ts";
export { restoreArchivedTool } from "./tools/restore-archived-tool.ts";
export type { EarlyLookup } from "./tools/early-lookup.ts";
export { lookUpEarly, provideLookup } from "./tools/early-lookup.ts";
export type { DraftRef } from "./tools/build-draft.ts";
export { buildDraft } from "./tools/build-draft.ts";
export { createShippedTool, createTool } from "./tools/create-tool.ts";
export { checkCopy, getTool, getToolList, getVersions } from "./tools/get-tool.ts";
export { getVersion } from "./tools/get-version.ts";
export { getCatalog, installTool, uninstallTool } from "./tools/install-tool.ts";
export { getNewestPackage } from "./tools/newest-package.ts";
export { getPackageTypes } from "./tools/package-types.ts";
export type { PlannedPublication } from "./tools/publish-definition.ts";
export { findToolToChange, planPublication, versionNotLive } from "./tools/publish-definition.ts";
export type { ImportLink, ImportOptions, ItemState, LinkedTool } from "./tools/import-links.ts";
export {
  findImportOfTool,
  findGenerated,
  findImportTitles,
  findLinkedTools,
  hashDefinition,
  lockImport,
  requireNoTool,
} from "./tools/import-links.ts";
export { formatItemHashes } from "./tools/item-hashes.ts";
export { holdUnchecked, markLinkedTools, unlinkTools } from "./tools/mark-links.ts";
export type { PreparedTool } from "./tools/publish-imported.ts";
export { planImported, prepareImported } from "./tools/publish-imported.ts";
export type { SourcedTool } from "./tools/tool.ts";
export { checkLeaseMs, requestCheck } from "./tools/request-check.ts";
export { getSkill } from "./tools/render-skill.ts";
export { restoreTool } from "./tools/restore-tool.ts";
export type { RunnableTool } from "./tools/runnable-tool.ts";
export {
  findRunnableTool,
  findRunnableVersion,
  findToolToRun,
} from "./tools/find-runnable-tool.ts";
export { refreshVectors } from "./embeddings/refresh-vectors.ts";
export { searchTools } from "./tools/search-tools.ts";
export {
  approveTool,
  getApprovals,
  planApproval,
  withdrawApproval,
} from "./tools/tool-approvals.ts";
export { capDraftBytes } from "./tools/tool-caps.ts";
export { findIsIdempotent } from "./tools/find-is-idempotent.ts";
export { keepVisibleNames } from "./tools/tool-store.ts";
export { findUsedTool } from "./tools/used-tool-store.ts";
export { listToolSummaryRows } from "./tools/tool-summary-store.ts";
export type { ToolSummaryRow } from "./tools/tool-summary-store.ts";
export { draftName, normalizeDefinition, toolUrl } from "./tools/tool.ts";
export { updateTool } from "./tools/update-tool.ts";
export { readExampleResults } from "./tools/version-row.ts";
export { saveVersionResults } from "./tools/version-store.ts";
