// Generated from the routes by `npm run generate:api`. Do not edit.
// oxlint-disable max-lines -- it grows with the routes
import type { z } from "zod";
import type {
  AcceptedInvitation,
  AccountExport,
  Alert,
  AlertEvent,
  ApiKey,
  ArchivedTool,
  AuditEvent,
  AuditVerification,
  Bridge,
  BridgeCall,
  ChatConnectUrl,
  ChatConnection,
  ChatLink,
  ChatPlatformState,
  ConnectedApp,
  CreatedApiKey,
  CreatedCredential,
  CreatedInvitation,
  CreatedWebhook,
  Credential,
  CredentialRequest,
  DeadLetter,
  Draft,
  DraftApprovals,
  DraftFromRequest,
  DraftSummary,
  ExampleResults,
  FileLink,
  ImportChange,
  ImportItem,
  ImportResource,
  ImportedTool,
  InstallInfo,
  Invitation,
  JsonObject,
  ListedFile,
  LogLine,
  Me,
  Member,
  NewestPackage,
  PackageTypes,
  Preferences,
  RotatedWebhookSecret,
  Run,
  RunBatch,
  RunResult,
  RunStats,
  RunSummary,
  SearchResults,
  ServerCheck,
  Session,
  Skill,
  Template,
  Tool,
  ToolActivity,
  ToolApprovals,
  ToolDetail,
  ToolInstall,
  ToolSummary,
  ToolTags,
  ToolVersion,
  ToolVersionDetail,
  UnmetSearch,
  UploadedFile,
  Webhook,
  WebhookDelivery,
  WebhookTestResult,
  Workspace,
  WorkspaceSettings,
  acceptUpdateInput,
  answerBridgeCallInput,
  answerQuestionInput,
  applyImportChangesInput,
  approveDraftInput,
  approveToolInput,
  auditVerificationQuery,
  checkImportInput,
  connectBridgeInput,
  createAlertInput,
  createApiKeyInput,
  createCredentialInput,
  createDraftFromRequestInput,
  createDraftInput,
  createExampleResultsInput,
  createFileLinkInput,
  createImportInput,
  createImportedToolsInput,
  createInvitationInput,
  createRunBatchInput,
  createToolInput,
  createWebhookInput,
  createWorkspaceInput,
  credentialQuery,
  deleteAccountInput,
  deleteImportQuery,
  deleteWorkspaceInput,
  installToolInput,
  listAuditEventsQuery,
  listDraftsQuery,
  listFilesQuery,
  listImportChangesQuery,
  listImportItemsQuery,
  listImportsQuery,
  listOwnedQuery,
  listRunsQuery,
  listToolSummariesQuery,
  listToolsQuery,
  listWebhookDeliveriesQuery,
  newestPackageQuery,
  pageQuery,
  publishDraftInput,
  publishImportedDraftsInput,
  replaceCredentialInput,
  runStatsQuery,
  searchToolsQuery,
  serverCheckQuery,
  setTagsInput,
  skillQuery,
  takeBridgeCallsQuery,
  toolActivityQuery,
  transferWorkspaceInput,
  updateAlertInput,
  updateChatConnectionInput,
  updateDraftInput,
  updateImportInput,
  updateMemberInput,
  updatePreferencesInput,
  updateToolInput,
  updateWebhookInput,
  updateWorkspaceSettingsInput,
  uploadFileInput,
  uploadFileQuery,
  withdrawApprovalQuery,
} from "./index.ts";

/** Requests and responses of each route below `/api/v1`. The response is `never` where it is not JSON. */
export type Api = {
  "GET /tools": { query?: z.input<typeof listToolsQuery>; response: Tool[] };
  "POST /tools": { body: z.input<typeof createToolInput>; response: ToolDetail };
  "GET /tools/{name}": { params: { name: string }; response: ToolDetail };
  "PATCH /tools/{name}": {
    params: { name: string };
    body: z.input<typeof updateToolInput>;
    response: ToolDetail;
  };
  "DELETE /tools/{name}": { params: { name: string }; response: undefined };
  "GET /tools/{name}/types": { params: { name: string }; response: never };
  "GET /tools/{name}/versions": {
    params: { name: string };
    query?: z.input<typeof pageQuery>;
    response: ToolVersion[];
  };
  "GET /tools/{name}/versions/{version}": {
    params: { name: string; version: number };
    response: ToolVersionDetail;
  };
  "POST /tools/{name}/versions/{version}/restore": {
    params: { name: string; version: number };
    response: ToolDetail;
  };
  "GET /archived-tools": { query?: z.input<typeof pageQuery>; response: ArchivedTool[] };
  "POST /archived-tools/{name}/restore": { params: { name: string }; response: undefined };
  "DELETE /archived-tools/{name}": { params: { name: string }; response: undefined };
  "GET /tools/{name}/install": { params: { name: string }; response: ToolInstall };
  "POST /tools/{name}/install": {
    params: { name: string };
    body?: z.input<typeof installToolInput>;
    response: Tool;
  };
  "DELETE /tools/{name}/install": { params: { name: string }; response: undefined };
  "POST /tools/{name}/install/update": {
    params: { name: string };
    body: z.input<typeof acceptUpdateInput>;
    response: ToolInstall;
  };
  "GET /templates": { response: Template[] };
  "GET /drafts": { query?: z.input<typeof listDraftsQuery>; response: DraftSummary[] };
  "POST /drafts": { body: z.input<typeof createDraftInput>; response: Draft };
  "GET /drafts/{id}": { params: { id: string }; response: Draft };
  "PUT /drafts/{id}": {
    params: { id: string };
    body: z.input<typeof updateDraftInput>;
    response: DraftSummary;
  };
  "DELETE /drafts/{id}": { params: { id: string }; response: undefined };
  "GET /drafts/{id}/package-types": { params: { id: string }; response: PackageTypes };
  "POST /drafts/{id}/run": { params: { id: string }; body: unknown; response: RunResult };
  "GET /drafts/{id}/example-results": { params: { id: string }; response: ExampleResults[] };
  "PUT /drafts/{id}/example-results": {
    params: { id: string };
    body: z.input<typeof createExampleResultsInput>;
    response: ExampleResults;
  };
  "GET /drafts/{id}/approvals": { params: { id: string }; response: DraftApprovals };
  "POST /drafts/{id}/approvals": {
    params: { id: string };
    body: z.input<typeof approveDraftInput>;
    response: DraftApprovals;
  };
  "POST /drafts/{id}/publish": {
    params: { id: string };
    body: z.input<typeof publishDraftInput>;
    response: ToolDetail;
  };
  "GET /server-check": { query: z.input<typeof serverCheckQuery>; response: ServerCheck };
  "POST /drafts/from-request": {
    body: z.input<typeof createDraftFromRequestInput>;
    response: DraftFromRequest;
  };
  "GET /packages/newest": { query: z.input<typeof newestPackageQuery>; response: NewestPackage };
  "POST /bridges": { body: z.input<typeof connectBridgeInput>; response: Bridge };
  "GET /bridges/{id}/calls": {
    params: { id: string };
    query?: z.input<typeof takeBridgeCallsQuery>;
    response: BridgeCall[];
  };
  "PUT /bridges/{id}/calls/{callId}": {
    params: { id: string; callId: string };
    body: z.input<typeof answerBridgeCallInput>;
    response: undefined;
  };
  "DELETE /bridges/{id}": { params: { id: string }; response: undefined };
  "GET /imports": { query?: z.input<typeof listImportsQuery>; response: ImportResource[] };
  "POST /imports": { body: z.input<typeof createImportInput>; response: ImportResource };
  "GET /imports/{id}": { params: { id: string }; response: ImportResource };
  "PATCH /imports/{id}": {
    params: { id: string };
    body: z.input<typeof updateImportInput>;
    response: ImportResource;
  };
  "DELETE /imports/{id}": {
    params: { id: string };
    query?: z.input<typeof deleteImportQuery>;
    response: undefined;
  };
  "GET /imports/{id}/items": {
    params: { id: string };
    query?: z.input<typeof listImportItemsQuery>;
    response: ImportItem[];
  };
  "POST /imports/{id}/tools": {
    params: { id: string };
    body: z.input<typeof createImportedToolsInput>;
    response: ImportedTool[];
  };
  "POST /imports/{id}/drafts/publish": {
    params: { id: string };
    body: z.input<typeof publishImportedDraftsInput>;
    response: ImportedTool[];
  };
  "POST /imports/{id}/check": {
    params: { id: string };
    body: z.input<typeof checkImportInput>;
    response: undefined;
  };
  "GET /imports/{id}/changes": {
    params: { id: string };
    query?: z.input<typeof listImportChangesQuery>;
    response: ImportChange[];
  };
  "POST /imports/{id}/changes": {
    params: { id: string };
    body: z.input<typeof applyImportChangesInput>;
    response: ImportedTool[];
  };
  "POST /run/{toolName}": { params: { toolName: string }; body: unknown; response: RunResult };
  "GET /runs": { query?: z.input<typeof listRunsQuery>; response: RunSummary[] };
  "GET /runs/{runId}": { params: { runId: string }; response: Run };
  "GET /runs/{runId}/logs": { params: { runId: string }; response: LogLine[] };
  "POST /runs/{runId}/cancel": { params: { runId: string }; response: Run };
  "POST /runs/{runId}/answers": {
    params: { runId: string };
    body: z.input<typeof answerQuestionInput>;
    response: Run;
  };
  "POST /run-batches": { body: z.input<typeof createRunBatchInput>; response: RunBatch };
  "GET /run-batches": { query?: z.input<typeof pageQuery>; response: RunBatch[] };
  "GET /run-batches/{batchId}": { params: { batchId: string }; response: RunBatch };
  "POST /run-batches/{batchId}/cancel": { params: { batchId: string }; response: RunBatch };
  "GET /tool-activity": { query?: z.input<typeof toolActivityQuery>; response: ToolActivity[] };
  "GET /run-stats": { query?: z.input<typeof runStatsQuery>; response: RunStats };
  "GET /tools/summaries": {
    query?: z.input<typeof listToolSummariesQuery>;
    response: ToolSummary[];
  };
  "GET /tags": { response: ToolTags };
  "PUT /tools/{name}/tags": {
    params: { name: string };
    body: z.input<typeof setTagsInput>;
    response: ToolTags;
  };
  "GET /preferences": { response: Preferences };
  "PUT /preferences": { body: z.input<typeof updatePreferencesInput>; response: Preferences };
  "GET /credential-requests": { response: CredentialRequest[] };
  "POST /tools/{name}/credential-requests": {
    params: { name: string };
    response: CredentialRequest;
  };
  "GET /skill/{toolName}": {
    params: { toolName: string };
    query?: z.input<typeof skillQuery>;
    response: Skill;
  };
  "GET /skills/search": { query?: z.input<typeof searchToolsQuery>; response: SearchResults };
  "GET /unmet-searches": { response: UnmetSearch[] };
  "POST /upload": {
    query?: z.input<typeof uploadFileQuery>;
    body: z.input<typeof uploadFileInput> | FormData;
    response: UploadedFile;
  };
  "GET /files/{fileId}": { params: { fileId: string }; response: never };
  "GET /files": { query?: z.input<typeof listFilesQuery>; response: ListedFile[] };
  "DELETE /files/{fileId}": { params: { fileId: string }; response: undefined };
  "POST /files/{fileId}/links": {
    params: { fileId: string };
    body?: z.input<typeof createFileLinkInput>;
    response: FileLink;
  };
  "GET /credentials": { query?: z.input<typeof pageQuery>; response: Credential[] };
  "POST /credentials": { body: z.input<typeof createCredentialInput>; response: CreatedCredential };
  "POST /credentials/{name}/connect": {
    params: { name: string };
    query?: z.input<typeof credentialQuery>;
    response: CreatedCredential;
  };
  "PUT /credentials/{name}": {
    params: { name: string };
    query?: z.input<typeof credentialQuery>;
    body: z.input<typeof replaceCredentialInput>;
    response: Credential;
  };
  "DELETE /credentials/{name}": {
    params: { name: string };
    query?: z.input<typeof credentialQuery>;
    response: undefined;
  };
  "GET /tools/{name}/approvals": { params: { name: string }; response: ToolApprovals };
  "POST /tools/{name}/approvals": {
    params: { name: string };
    body: z.input<typeof approveToolInput>;
    response: ToolApprovals;
  };
  "DELETE /tools/{name}/approvals": {
    params: { name: string };
    query?: z.input<typeof withdrawApprovalQuery>;
    response: undefined;
  };
  "DELETE /tools/{name}/approvals/always-allow": { params: { name: string }; response: undefined };
  "GET /me": { response: Me };
  "GET /api-keys": { query?: z.input<typeof listOwnedQuery>; response: ApiKey[] };
  "POST /api-keys": { body: z.input<typeof createApiKeyInput>; response: CreatedApiKey };
  "DELETE /api-keys/{id}": { params: { id: string }; response: undefined };
  "GET /audit-events": { query?: z.input<typeof listAuditEventsQuery>; response: AuditEvent[] };
  "GET /audit-events/verification": {
    query?: z.input<typeof auditVerificationQuery>;
    response: AuditVerification;
  };
  "GET /sessions": { query?: z.input<typeof pageQuery>; response: Session[] };
  "DELETE /sessions/{id}": { params: { id: string }; response: undefined };
  "GET /me/export": { response: AccountExport };
  "DELETE /me": { body: z.input<typeof deleteAccountInput>; response: undefined };
  "GET /workspaces": { query?: z.input<typeof pageQuery>; response: Workspace[] };
  "POST /workspaces": { body: z.input<typeof createWorkspaceInput>; response: Workspace };
  "PATCH /workspaces/{id}": {
    params: { id: string };
    body: z.input<typeof createWorkspaceInput>;
    response: Workspace;
  };
  "DELETE /workspaces/{id}": {
    params: { id: string };
    body: z.input<typeof deleteWorkspaceInput>;
    response: undefined;
  };
  "POST /workspaces/{id}/transfer": {
    params: { id: string };
    body: z.input<typeof transferWorkspaceInput>;
    response: Member;
  };
  "GET /workspaces/{id}/members": {
    params: { id: string };
    query?: z.input<typeof pageQuery>;
    response: Member[];
  };
  "PATCH /workspaces/{id}/members/{userId}": {
    params: { id: string; userId: string };
    body: z.input<typeof updateMemberInput>;
    response: Member;
  };
  "DELETE /workspaces/{id}/members/{userId}": {
    params: { id: string; userId: string };
    response: undefined;
  };
  "GET /workspaces/{id}/invitations": {
    params: { id: string };
    query?: z.input<typeof pageQuery>;
    response: Invitation[];
  };
  "POST /workspaces/{id}/invitations": {
    params: { id: string };
    body: z.input<typeof createInvitationInput>;
    response: CreatedInvitation;
  };
  "DELETE /workspaces/{id}/invitations/{invitationId}": {
    params: { id: string; invitationId: string };
    response: undefined;
  };
  "POST /invitations/{token}/accept": { params: { token: string }; response: AcceptedInvitation };
  "GET /workspaces/{id}/settings": { params: { id: string }; response: WorkspaceSettings };
  "PATCH /workspaces/{id}/settings": {
    params: { id: string };
    body: z.input<typeof updateWorkspaceSettingsInput>;
    response: WorkspaceSettings;
  };
  "GET /workspaces/{id}/chat": { params: { id: string }; response: ChatConnection[] };
  "GET /workspaces/{id}/chat/platforms": { params: { id: string }; response: ChatPlatformState[] };
  "GET /workspaces/{id}/chat/dead-letters": {
    params: { id: string };
    query?: z.input<typeof pageQuery>;
    response: DeadLetter[];
  };
  "POST /workspaces/{id}/chat/dead-letters/{messageId}/requeue": {
    params: { id: string; messageId: string };
    response: undefined;
  };
  "POST /workspaces/{id}/chat/{platform}/connect": {
    params: { id: string; platform: string };
    response: ChatConnectUrl;
  };
  "PATCH /workspaces/{id}/chat/{connectionId}": {
    params: { id: string; connectionId: string };
    body: z.input<typeof updateChatConnectionInput>;
    response: ChatConnection;
  };
  "DELETE /workspaces/{id}/chat/{connectionId}": {
    params: { id: string; connectionId: string };
    response: undefined;
  };
  "GET /chat-links": { query?: z.input<typeof pageQuery>; response: ChatLink[] };
  "DELETE /chat-links/{linkId}": { params: { linkId: string }; response: undefined };
  "GET /webhooks": { response: Webhook[] };
  "POST /webhooks": { body: z.input<typeof createWebhookInput>; response: CreatedWebhook };
  "GET /webhooks/{id}": { params: { id: string }; response: Webhook };
  "PATCH /webhooks/{id}": {
    params: { id: string };
    body: z.input<typeof updateWebhookInput>;
    response: Webhook;
  };
  "DELETE /webhooks/{id}": { params: { id: string }; response: undefined };
  "POST /webhooks/{id}/rotate-secret": { params: { id: string }; response: RotatedWebhookSecret };
  "POST /webhooks/{id}/test": { params: { id: string }; response: WebhookTestResult };
  "GET /webhooks/{id}/deliveries": {
    params: { id: string };
    query?: z.input<typeof listWebhookDeliveriesQuery>;
    response: WebhookDelivery[];
  };
  "POST /webhooks/{id}/deliveries/{eventId}/requeue": {
    params: { id: string; eventId: string };
    response: undefined;
  };
  "POST /webhooks/{id}/requeue-dead-letters": { params: { id: string }; response: undefined };
  "GET /alerts": { response: Alert[] };
  "POST /alerts": { body: z.input<typeof createAlertInput>; response: Alert };
  "GET /alerts/{id}": { params: { id: string }; response: Alert };
  "PATCH /alerts/{id}": {
    params: { id: string };
    body: z.input<typeof updateAlertInput>;
    response: Alert;
  };
  "DELETE /alerts/{id}": { params: { id: string }; response: undefined };
  "POST /alerts/{id}/test": { params: { id: string }; response: undefined };
  "GET /alerts/{id}/events": {
    params: { id: string };
    query?: z.input<typeof pageQuery>;
    response: AlertEvent[];
  };
  "GET /connected-apps": { query?: z.input<typeof listOwnedQuery>; response: ConnectedApp[] };
  "DELETE /connected-apps/{id}": { params: { id: string }; response: undefined };
  "GET /install": { response: InstallInfo };
  "GET /openapi.json": { response: JsonObject };
};
