export { errorCodes, errorDetail, problem, runErrorCodes } from "./errors.ts";
export type { ErrorCode, ErrorDetail, Problem, RunErrorCode } from "./errors.ts";
export {
  chatConnection,
  chatConnectionPatch,
  chatLink,
  chatPlatformState,
  chatProblemKind,
  givenUpMessage,
} from "./chat.ts";
export type {
  ChatConnection,
  ChatLink,
  ChatPlatformState,
  ChatProblemKind,
  GivenUpMessage,
} from "./chat.ts";
export type { ConnectionDraft } from "./connection.ts";
export {
  createdCredential,
  credential,
  credentialDraft,
  credentialOwners,
  credentialReplacement,
} from "./credential.ts";
export type { CreatedCredential, Credential, CredentialDraft } from "./credential.ts";
export type { CredentialOwner, CredentialReplacement } from "./credential.ts";
export { approvalRequest, toolApprovals } from "./approval.ts";
export type {
  ApprovalNeeds,
  ApprovalRequest,
  LackingCredential,
  ToolApproval,
  ToolApprovals,
} from "./approval.ts";
export {
  installRequest,
  toolInstall,
  toolUpdateReasons,
  updateAcceptance,
} from "./tool-install.ts";
export type {
  InstallRequest,
  ToolChange,
  ToolInstall,
  ToolUpdate,
  ToolUpdateReason,
  UpdateAcceptance,
} from "./tool-install.ts";
export { archivedTool } from "./archived-tool.ts";
export type { ArchivedTool } from "./archived-tool.ts";
export { scope, scopes } from "./scopes.ts";
export type { Scope } from "./scopes.ts";
export {
  credentialName,
  jsonObject,
  outputSchema,
  outputTypes,
  tool,
  toolDependencies,
  toolDetail,
  toolDraft,
  toolLimits,
  toolNamePattern,
  toolPatch,
  toolSource,
  toolOrigins,
} from "./tool.ts";
export type {
  JsonObject,
  OutputSchema,
  Tool,
  ToolDetail,
  ToolDraft,
  ToolOrigin,
  ToolDraftInput,
  ToolPatch,
  ToolSource,
} from "./tool.ts";
export { toolVersion, toolVersionDetail } from "./tool-version.ts";
export type { ToolVersion, ToolVersionDetail } from "./tool-version.ts";
export { searchResults, skill, toolMatch } from "./skill.ts";
export type { SearchResults, Skill, ToolMatch } from "./skill.ts";
export {
  logLine,
  progress,
  run,
  runError,
  runResult,
  runStatuses,
  runSummary,
  vias,
} from "./run.ts";
export type {
  LogLine,
  Progress,
  Run,
  RunError,
  RunResult,
  RunStatus,
  RunSummary,
  Via,
} from "./run.ts";
export { apiKey, apiKeyDraft, auditEvent, createdApiKey, me } from "./account.ts";
export type { ApiKey, ApiKeyDraft, AuditEvent, CreatedApiKey, Me } from "./account.ts";
export { auditVerification } from "./audit.ts";
export type { AuditVerification } from "./audit.ts";
export { toolActivity } from "./activity.ts";
export type { ToolActivity } from "./activity.ts";
export {
  draft,
  draftApprovalRequest,
  draftApprovals,
  draftChange,
  draftPublication,
  draftSummary,
  newDraft,
  template,
} from "./draft.ts";
export type {
  Draft,
  DraftApprovals,
  DraftChange,
  DraftPublication,
  DraftSummary,
  NewDraft,
} from "./draft.ts";
export type { Template } from "./draft.ts";
export { workspaceSettings, workspaceSettingsPatch } from "./workspace-settings.ts";
export type { WorkspaceSettings, WorkspaceSettingsPatch } from "./workspace-settings.ts";
export { connectedApp } from "./connected-app.ts";
export type { ConnectedApp } from "./connected-app.ts";
export { installInfo } from "./install.ts";
export type { InstallClient, InstallInfo } from "./install.ts";
export { uploadDraft, uploadedFile } from "./file.ts";
export type { FileReference, UploadDraft, UploadedFile } from "./file.ts";
export {
  accountDeletion,
  createdInvitation,
  invitation,
  invitationDraft,
  member,
  memberPatch,
  role,
  roles,
  session,
  workspace,
  workspaceDeletion,
  workspaceDraft,
  workspaceTransfer,
} from "./workspace.ts";
export type {
  CreatedInvitation,
  Invitation,
  InvitationDraft,
  Member,
  Role,
  Session,
  Workspace,
  WorkspaceDraft,
} from "./workspace.ts";
export { packageTypes, packageTypesLimits } from "./package-types.ts";
export type { PackageTypes } from "./package-types.ts";
