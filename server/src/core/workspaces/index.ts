export { enterWorkspace } from "./enter-workspace.ts";
export { leaveSteps } from "./leave-steps.ts";
export { archivePrivateTools } from "./workspace-store.ts";
export { createWorkspace, listWorkspaces, renameWorkspace } from "./workspaces.ts";
export { changeSettings, getSettings } from "./workspace-settings.ts";
export { deleteWorkspace } from "./delete-workspace.ts";
export { changeRole, listMembers, removeMember, transferWorkspace } from "./members.ts";
export {
  acceptInvitation,
  createInvitation,
  findInvitationOfToken,
  listInvitations,
  revokeInvitation,
} from "./invitations.ts";
export { removeDeletedWorkspaces } from "./remove-deleted.ts";
