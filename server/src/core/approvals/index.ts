export type { ApprovedVersion } from "./approve.ts";
export {
  approval,
  approveByRunning,
  approveBySaving,
  checkMayApprove,
  ownerIdOf,
  readNeeds,
  withdrawalSteps,
} from "./approve.ts";
export { approveDraft, approveDraftByRunning, findDraftApprovals } from "./draft-approvals.ts";
export { findApprovals } from "./approval-store.ts";
export { beyond, isNothing, needsOf } from "./needs.ts";
