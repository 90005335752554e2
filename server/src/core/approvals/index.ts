export type { ApprovedVersion } from "./approve.ts";
export {
  approval,
  approvalEvent,
  approveBySaving,
  checkMayApprove,
  ownerIdOf,
  readNeeds,
  withdrawalSteps,
} from "./approve.ts";
export type { DraftConsent } from "./draft-approvals.ts";
export { approveDraft, findDraftApprovals } from "./draft-approvals.ts";
export { findApprovals } from "./approval-store.ts";
export { beyond, isNothing, needsOf } from "./needs.ts";
