export type { ApprovedVersion } from "./approve.ts";
export {
  approval,
  approvalEvent,
  approveBySaving,
  checkMayApprove,
  ownerIdOf,
  withdrawalSteps,
} from "./approve.ts";
export type { DraftConsent } from "./draft-approvals.ts";
export { approveDraft, findDraftApprovals } from "./draft-approvals.ts";
export type { ApprovalRow } from "./approval-store.ts";
export { findApprovals, findCodeHash, isOwnWork } from "./approval-store.ts";
export {
  approvedFor,
  beyond,
  isNothing,
  joinNeeds,
  needsOf,
  overlaps,
  readNeeds,
  withoutExposure,
} from "./needs.ts";
