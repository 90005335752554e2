export { deleteAccount } from "./account/delete-account.ts";
export { exportAccount } from "./account/export-account.ts";
export { listSessions, revokeSession } from "./account/sessions.ts";
export type { WorkspacesContext } from "./context.ts";
export { listCredentialRequests, requestCredentials } from "./credential-requests.ts";
export { deleteWorkspace } from "./delete-workspace.ts";
export { requireMembership } from "./require-membership.ts";
export {
  acceptInvitation,
  createInvitation,
  findInvitationOfToken,
  listInvitations,
  revokeInvitation,
} from "./invitations.ts";
export { changeRole, listMembers, removeMember, transferWorkspace } from "./members.ts";
export { sweep } from "./retention/sweep.ts";
export { changeSettings, getSettings } from "./workspace-settings.ts";
export { createWorkspace, listWorkspaces, renameWorkspace } from "./workspaces.ts";
