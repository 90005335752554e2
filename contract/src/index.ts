export { errorCodes, runErrorCodes } from "./errors.ts";
export type { ErrorCode, RunErrorCode } from "./errors.ts";
export { errorDetail, problem } from "./problem.ts";
export type { ErrorDetail, Problem } from "./problem.ts";
export {
  chatConnection,
  chatConnectUrl,
  updateChatConnectionInput,
  chatLink,
  chatPlatformState,
  chatProblemKind,
  deadLetter,
} from "./chat.ts";
export type {
  ChatConnection,
  ChatConnectUrl,
  ChatLink,
  ChatPlatformState,
  ChatProblemKind,
  DeadLetter,
} from "./chat.ts";
export type { CreateConnectionInput } from "./connection.ts";
export {
  createdCredential,
  credential,
  createCredentialInput,
  credentialOwners,
  replaceCredentialInput,
} from "./credential.ts";
export type { CreatedCredential, Credential, CreateCredentialInput } from "./credential.ts";
export type { CredentialOwner, ReplaceCredentialInput } from "./credential.ts";
export { approveToolInput, toolApprovals } from "./approval.ts";
export type {
  AlwaysAllowed,
  ApprovalNeeds,
  ApproveToolInput,
  MissingCredential,
  ToolApproval,
  ToolApprovals,
} from "./approval.ts";
export {
  installToolInput,
  toolInstall,
  toolUpdateReasons,
  acceptUpdateInput,
} from "./tool-install.ts";
export type {
  InstallToolInput,
  ToolChange,
  ToolInstall,
  ToolUpdate,
  ToolUpdateReason,
  AcceptUpdateInput,
} from "./tool-install.ts";
export { declaredHostOf } from "./host.ts";
export { archivedTool } from "./archived-tool.ts";
export type { ArchivedTool } from "./archived-tool.ts";
export { mayDo, isRole, mayManage, roles } from "./roles.ts";
export type { Right, Role } from "./roles.ts";
export { parseGitFolder, publishedFrom } from "./published-from.ts";
export type { GitFolder, PublishedFrom } from "./published-from.ts";
export { createRunBatchInput, runBatch } from "./run-batch.ts";
export type { CreateRunBatchInput, RunBatch } from "./run-batch.ts";
export { scopes } from "./scope-descriptions.ts";
export type { Scope } from "./scope-descriptions.ts";
export { scope } from "./scopes.ts";
export { toolNamePattern } from "./tool-name.ts";
export {
  credentialName,
  outputSchema,
  outputTypes,
  tool,
  toolDependencies,
  toolDetail,
  createToolInput,
  toolLimits,
  updateToolInput,
  toolSource,
  toolOrigins,
} from "./tool.ts";
export type {
  OutputSchema,
  Tool,
  ToolDetail,
  CreateToolInput,
  ToolOrigin,
  RawCreateToolInput,
  UpdateToolInput,
  ToolSource,
} from "./tool.ts";
export {
  listToolSummariesQuery,
  preferences,
  setTagsInput,
  toolListLimits,
  toolSorts,
  toolStates,
  toolSummary,
  toolTags,
  updatePreferencesInput,
} from "./tool-list.ts";
export type {
  ListToolSummariesQuery,
  Preferences,
  ToolSummary,
  ToolTags,
  UpdatePreferencesInput,
} from "./tool-list.ts";
export { credentialRequest } from "./credential-request.ts";
export type { CredentialRequest } from "./credential-request.ts";
export { toolVersion, toolVersionDetail } from "./tool-version.ts";
export type { ToolVersion, ToolVersionDetail } from "./tool-version.ts";
export { answerQuestionInput, formSchema, question, questionLimits } from "./question.ts";
export type { Answer, AnswerQuestionInput, FormSchema, Question } from "./question.ts";
export { searchResults, skill, toolMatch, unmetSearch } from "./skill.ts";
export type { MatchReason, SearchResults, Skill, ToolMatch, UnmetSearch } from "./skill.ts";
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
export { apiKey, createApiKeyInput, auditEvent, createdApiKey, me } from "./account.ts";
export type { ApiKey, CreateApiKeyInput, AuditEvent, CreatedApiKey, Me } from "./account.ts";
export { auditVerification } from "./audit.ts";
export type { AuditAction, AuditVerification, WorkspaceAuditAction } from "./audit.ts";
export { toolActivity } from "./activity.ts";
export type { ToolActivity } from "./activity.ts";
export {
  draft,
  approveDraftInput,
  draftApprovals,
  updateDraftInput,
  publishDraftInput,
  draftSummary,
  createDraftInput,
  template,
} from "./draft.ts";
export type {
  Draft,
  DraftApprovals,
  UpdateDraftInput,
  PublishDraftInput,
  DraftSummary,
  CreateDraftInput,
} from "./draft.ts";
export type { Template } from "./draft.ts";
export {
  createDraftFromRequestInput,
  draftFromRequest,
  serverCheck,
  serverCheckQuery,
} from "./request-draft.ts";
export type {
  CreateDraftFromRequestInput,
  DraftFromRequest,
  ServerCheck,
} from "./request-draft.ts";
export {
  createExampleResultsInput,
  example,
  exampleExpectation,
  exampleLimits,
  exampleResults,
} from "./example.ts";
export type {
  CreateExampleResultsInput,
  ExampleExpectation,
  ExampleResult,
  ExampleResults,
  ToolExample,
} from "./example.ts";
export { jsonObject } from "./json-object.ts";
export type { JsonObject } from "./json-object.ts";
export {
  agentOutputCharacters,
  workspaceSettings,
  updateWorkspaceSettingsInput,
} from "./workspace-settings.ts";
export type { WorkspaceSettings, UpdateWorkspaceSettingsInput } from "./workspace-settings.ts";
export { connectedApp } from "./connected-app.ts";
export type { ConnectedApp } from "./connected-app.ts";
export { installInfo } from "./install.ts";
export type { InstallClient, InstallInfo } from "./install.ts";
export {
  createFileLinkInput,
  fileLink,
  listedFile,
  uploadedFile,
  uploadFileInput,
  uploadFileQuery,
} from "./file.ts";
export type { FileLink, FileReference, ListedFile, UploadedFile, UploadFileInput } from "./file.ts";
export {
  acceptedInvitation,
  accountExport,
  deleteAccountInput,
  createdInvitation,
  invitation,
  createInvitationInput,
  member,
  updateMemberInput,
  role,
  session,
  workspace,
  deleteWorkspaceInput,
  createWorkspaceInput,
  transferWorkspaceInput,
} from "./workspace.ts";
export type {
  AcceptedInvitation,
  AccountExport,
  CreatedInvitation,
  Invitation,
  CreateInvitationInput,
  Member,
  Session,
  Workspace,
  CreateWorkspaceInput,
} from "./workspace.ts";
export { newestPackage, newestPackageQuery } from "./newest-package.ts";
export type { NewestPackage } from "./newest-package.ts";
export { packageTypes, packageTypesLimits } from "./package-types.ts";
export type { PackageTypes } from "./package-types.ts";
export {
  auditVerificationQuery,
  credentialQuery,
  listAuditEventsQuery,
  listDraftsQuery,
  listFilesQuery,
  listOwnedQuery,
  listRunsQuery,
  listToolsQuery,
  maxCounted,
  pageQuery,
  searchToolsQuery,
  skillQuery,
  toolActivityQuery,
  withdrawApprovalQuery,
} from "./query.ts";
export {
  createdWebhook,
  createWebhookInput,
  listWebhookDeliveriesQuery,
  rotatedWebhookSecret,
  updateWebhookInput,
  webhook,
  webhookDelivery,
  webhookEvents,
  webhookTestResult,
} from "./webhook.ts";
export type {
  CreatedWebhook,
  CreateWebhookInput,
  RotatedWebhookSecret,
  UpdateWebhookInput,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookTestResult,
} from "./webhook.ts";
export {
  checkImportInput,
  createImportInput,
  deleteImportQuery,
  importResource,
  listImportsQuery,
  updateImportInput,
} from "./import.ts";
export {
  answerBridgeCallInput,
  bridge,
  bridgeCall,
  bridgeName,
  connectBridgeInput,
  takeBridgeCallsQuery,
} from "./bridge.ts";
export type { Bridge, BridgeCall } from "./bridge.ts";
export type {
  CheckImportInput,
  CreateImportInput,
  ImportKind,
  ImportResource,
  UpdateImportInput,
} from "./import.ts";
export {
  createImportedToolsInput,
  importedTool,
  importItem,
  listImportItemsQuery,
  maxItemsPerRequest,
  publishImportedDraftsInput,
} from "./import-item.ts";
export type {
  CreateImportedToolsInput,
  ImportAuthentication,
  ImportedTool,
  ImportItem,
  PublishImportedDraftsInput,
} from "./import-item.ts";
export { applyImportChangesInput, importChange, listImportChangesQuery } from "./import-change.ts";
export type { ApplyImportChangesInput, ImportChange } from "./import-change.ts";
export { alert, alertEvent, createAlertInput, updateAlertInput } from "./alert.ts";
export type {
  Alert,
  AlertCondition,
  AlertEvent,
  AlertRecipients,
  CreateAlertInput,
  QuietHours,
  UpdateAlertInput,
} from "./alert.ts";
export { runStats, runStatsQuery } from "./stats.ts";
export type { RunCounts, RunStats, RunStatsRange, RunUsage } from "./stats.ts";
export { webhookPayload } from "./webhook-payload.ts";
export type {
  AlertWebhookPayload,
  RunWebhookPayload,
  TestWebhookPayload,
} from "./webhook-payload.ts";
