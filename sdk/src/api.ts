// Generated from the routes by `npm run generate:api`. Do not edit.
// oxlint-disable max-lines -- it grows with the routes

/** The request and the response of each route. A response is `never` if not JSON. */
export type Api = {
  "GET /tools": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      /** Lists the public tools that any workspace can install. */
      catalog?: "public";
      /** Filters by origin: made by you, made by others in your workspace, or installed from other workspaces. */
      origin?: ("mine" | "shared" | "installed");
      /** Filters by text in the name, title or description. */
      q?: string;
    };
    response: Tool[];
  };
  "POST /tools": {
    body: CreateToolInput;
    response: ToolDetail;
  };
  "GET /tools/{name}": {
    params: {
      /** The tool's name. */
      name: string;
    };
    response: ToolDetail;
  };
  "PATCH /tools/{name}": {
    params: {
      /** The tool's name. */
      name: string;
    };
    body: UpdateToolInput;
    response: ToolDetail;
  };
  "DELETE /tools/{name}": {
    params: {
      /** The tool's name. */
      name: string;
    };
  };
  "GET /tools/{name}/types": {
    params: {
      /** The tool's name. */
      name: string;
    };
    response: never;
  };
  "GET /tools/{name}/versions": {
    params: {
      /** The tool's name. */
      name: string;
    };
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
    };
    response: ToolVersion[];
  };
  "GET /tools/{name}/versions/{version}": {
    params: {
      /** The tool's name. */
      name: string;
      version: number;
    };
    response: ToolVersionDetail;
  };
  "POST /tools/{name}/versions/{version}/restore": {
    params: {
      /** The tool's name. */
      name: string;
      version: number;
    };
    response: ToolDetail;
  };
  "GET /archived-tools": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
    };
    response: ArchivedTool[];
  };
  "POST /archived-tools/{name}/restore": {
    params: {
      /** The tool's name. */
      name: string;
    };
  };
  "DELETE /archived-tools/{name}": {
    params: {
      /** The tool's name. */
      name: string;
    };
  };
  "GET /tools/{name}/install": {
    params: {
      /** The tool's name. */
      name: string;
    };
    response: ToolInstall;
  };
  "POST /tools/{name}/install": {
    params: {
      /** The tool's name. */
      name: string;
    };
    /** Default: `{}`. */
    body?: InstallToolInput;
    response: Tool;
  };
  "DELETE /tools/{name}/install": {
    params: {
      /** The tool's name. */
      name: string;
    };
  };
  "POST /tools/{name}/install/update": {
    params: {
      /** The tool's name. */
      name: string;
    };
    body: AcceptUpdateInput;
    response: ToolInstall;
  };
  "GET /templates": {
    response: Template[];
  };
  "GET /drafts": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      /** Filters by tool name. */
      toolName?: string;
    };
    response: DraftSummary[];
  };
  "POST /drafts": {
    body: CreateDraftInput;
    response: Draft;
  };
  "GET /drafts/{id}": {
    params: {
      /** The ID of the draft. */
      id: string;
    };
    response: Draft;
  };
  "PUT /drafts/{id}": {
    params: {
      /** The ID of the draft. */
      id: string;
    };
    body: UpdateDraftInput;
    response: DraftSummary;
  };
  "DELETE /drafts/{id}": {
    params: {
      /** The ID of the draft. */
      id: string;
    };
  };
  "GET /drafts/{id}/package-types": {
    params: {
      /** The ID of the draft. */
      id: string;
    };
    response: PackageTypes;
  };
  "POST /drafts/{id}/run": {
    params: {
      /** The ID of the draft. */
      id: string;
    };
    /** The input of the tool, which must match the inputSchema of the draft. */
    body: unknown;
    response: RunResult;
  };
  "GET /drafts/{id}/example-results": {
    params: {
      /** The ID of the draft. */
      id: string;
    };
    response: ExampleResults[];
  };
  "PUT /drafts/{id}/example-results": {
    params: {
      /** The ID of the draft. */
      id: string;
    };
    body: CreateExampleResultsInput;
    response: ExampleResults;
  };
  "GET /drafts/{id}/approvals": {
    params: {
      /** The ID of the draft. */
      id: string;
    };
    response: DraftApprovals;
  };
  "POST /drafts/{id}/approvals": {
    params: {
      /** The ID of the draft. */
      id: string;
    };
    body: ApproveDraftInput;
    response: DraftApprovals;
  };
  "POST /drafts/{id}/publish": {
    params: {
      /** The ID of the draft. */
      id: string;
    };
    body: PublishDraftInput;
    response: ToolDetail;
  };
  "GET /server-check": {
    query: {
      /**
       * Scheme and host, such as `https://api.example.com`.
       *
       * Format: uri
       */
      server: string;
    };
    response: ServerCheck;
  };
  "POST /drafts/from-request": {
    body: CreateDraftFromRequestInput;
    response: DraftFromRequest;
  };
  "GET /packages/newest": {
    query: {
      /** The name of the npm package, such as `zod`. */
      name: string;
    };
    response: NewestPackage;
  };
  "POST /bridges": {
    body: ConnectBridgeInput;
    response: Bridge;
  };
  "GET /bridges/{id}/calls": {
    params: {
      /** The ID of the bridge. */
      id: string;
    };
    query?: {
      /** The IDs of the messages of the last response, separated by commas. */
      received?: string;
    };
    response: BridgeCall[];
  };
  "PUT /bridges/{id}/calls/{callId}": {
    params: {
      /** The ID of the bridge. */
      id: string;
      /** The ID of the call. */
      callId: string;
    };
    body: AnswerBridgeCallInput;
  };
  "DELETE /bridges/{id}": {
    params: {
      /** The ID of the bridge. */
      id: string;
    };
  };
  "GET /imports": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      /** Lists only the import that this tool was created from. */
      toolName?: string;
    };
    response: Import[];
  };
  "POST /imports": {
    body: CreateImportInput;
    response: Import;
  };
  "GET /imports/{id}": {
    params: {
      /** The ID of the import. */
      id: string;
    };
    response: Import;
  };
  "PATCH /imports/{id}": {
    params: {
      /** The ID of the import. */
      id: string;
    };
    body: UpdateImportInput;
    response: Import;
  };
  "DELETE /imports/{id}": {
    params: {
      /** The ID of the import. */
      id: string;
    };
    query?: {
      /** Whether its tools are archived too. Tools that are kept are no longer checked. */
      tools?: ("keep" | "archive");
      /** Whether your drafts of its items are deleted too. */
      drafts?: ("keep" | "delete");
    };
  };
  "GET /imports/{id}/items": {
    params: {
      /** The ID of the import. */
      id: string;
    };
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      /** Filters by words in what the document or server says: name, path, title, description and tags. An exact name or path is first, then words that start with those of the query. */
      q?: string;
      /** Filters by tag. */
      tag?: string;
      /** `true` lists only items with a tool, `false` only those without. */
      imported?: ("true" | "false");
      /** Filters by state: with a tool, with a draft of yours and no tool, with neither, changed, on hold, or new. */
      state?: ("tool" | "draft" | "none" | "changed" | "on_hold" | "new");
      /** Filters operations by their HTTP method. */
      method?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE");
    };
    response: ImportItem[];
  };
  "POST /imports/{id}/tools": {
    params: {
      /** The ID of the import. */
      id: string;
    };
    body: CreateImportedToolsInput;
    response: ImportedTool[];
  };
  "POST /imports/{id}/drafts/publish": {
    params: {
      /** The ID of the import. */
      id: string;
    };
    body: PublishImportedDraftsInput;
    response: ImportedTool[];
  };
  "POST /imports/{id}/check": {
    params: {
      /** The ID of the import. */
      id: string;
    };
    body: CheckImportInput;
  };
  "GET /imports/{id}/changes": {
    params: {
      /** The ID of the import. */
      id: string;
    };
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      /** Lists only the change of this tool. */
      toolName?: string;
    };
    response: ImportChange[];
  };
  "POST /imports/{id}/changes": {
    params: {
      /** The ID of the import. */
      id: string;
    };
    body: ApplyImportChangesInput;
    response: ImportedTool[];
  };
  "POST /run/{toolName}": {
    params: {
      /** The tool's name. */
      toolName: string;
    };
    /** The input of the tool, which must match its inputSchema. */
    body: unknown;
    response: RunResult;
  };
  "GET /runs": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      /** The order of the items. */
      sort?: ("newest" | "oldest");
      /** `true` adds the header `X-Total-Count`. Items beyond the first 10,000 are not examined; if there are more, `X-Total-Count-Relation` is `gte`. */
      total?: ("true" | "false");
      /** Filters by tool name. */
      toolName?: string;
      /** Filters by status. */
      status?: ("running" | "completed" | "failed" | "cancelled");
      /** Filters by the interface that started the run. */
      via?: ("rest" | "mcp" | "bot" | "console" | "schedule");
      /** Filters by user ID; `me` is the caller. */
      userId?: string;
      /**
       * Filters by creation time: at this time or later.
       *
       * Format: date-time
       */
      since?: string;
      /**
       * Filters by creation time: at this time or earlier.
       *
       * Format: date-time
       */
      until?: string;
      /** Filters by text in the name or title of the tool or draft, or by the start of the run ID. */
      q?: string;
      /** `true` lists only your runs of drafts, `false` excludes them. */
      draft?: ("true" | "false");
      /** Filters by draft ID. */
      draftId?: string;
      /** Filters by the run that started them with `ctx.tools.run`. */
      parentRunId?: string;
      /** Filters by batch ID. */
      batchId?: string;
      /** Filters by the name of a credential that was available to the run. */
      credential?: string;
      /** Filters by a host that the run sent requests to, or that it was denied. */
      host?: string;
      /** Filters by the API key that started the run. */
      apiKeyId?: string;
      /** Filters by the connected app that started the run. */
      appId?: string;
    };
    response: RunSummary[];
  };
  "GET /runs/{runId}": {
    params: {
      /** The ID of the run. */
      runId: string;
    };
    response: Run;
  };
  "GET /runs/{runId}/logs": {
    params: {
      /** The ID of the run. */
      runId: string;
    };
    response: LogLine[];
  };
  "POST /runs/{runId}/cancel": {
    params: {
      /** The ID of the run. */
      runId: string;
    };
    response: Run;
  };
  "POST /runs/{runId}/answers": {
    params: {
      /** The ID of the run. */
      runId: string;
    };
    body: AnswerQuestionInput;
    response: Run;
  };
  "POST /run-batches": {
    body: CreateRunBatchInput;
    response: RunBatch;
  };
  "GET /run-batches": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
    };
    response: RunBatch[];
  };
  "GET /run-batches/{batchId}": {
    params: {
      /** The ID of the batch. */
      batchId: string;
    };
    response: RunBatch;
  };
  "POST /run-batches/{batchId}/cancel": {
    params: {
      /** The ID of the batch. */
      batchId: string;
    };
    response: RunBatch;
  };
  "GET /tool-activity": {
    query?: {
      /** Filters by tool name. Can be repeated up to 50 times; without it, lists the tools that ran recently. */
      toolName?: (string | string[]);
    };
    response: ToolActivity[];
  };
  "GET /run-stats": {
    query?: {
      /** The last 24 hours, 7 days or 30 days, in whole hours or days (UTC). */
      range?: ("24h" | "7d" | "30d");
      /** Only runs of this tool that you can see. */
      toolName?: string;
    };
    response: RunStats;
  };
  "GET /tools/summaries": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      /** Filters by origin: made by you, made by others in your workspace, installed, your favorites, or run by you recently. */
      origin?: ("mine" | "shared" | "installed" | "favorites" | "recent");
      tag?: string;
      /** The ID of the author. */
      owner?: string;
      visibility?: ("private" | "workspace" | "public");
      /** `failing`: at least half of the recent runs failed. `unused`: no recent runs. `update`: an update waits for a review. */
      state?: ("failing" | "unused" | "update");
      /** By name, or starting with the highest of the other values. */
      sort?: ("newest" | "name" | "updated" | "last-run" | "success" | "runs");
    };
    response: ToolSummary[];
  };
  "GET /tags": {
    response: ToolTags;
  };
  "PUT /tools/{name}/tags": {
    params: {
      /** The tool's name. */
      name: string;
    };
    body: SetTagsInput;
    response: ToolTags;
  };
  "GET /preferences": {
    response: Preferences;
  };
  "PUT /preferences": {
    body: UpdatePreferencesInput;
    response: Preferences;
  };
  "GET /credential-requests": {
    response: CredentialRequest[];
  };
  "POST /tools/{name}/credential-requests": {
    params: {
      /** The tool's name. */
      name: string;
    };
    response: CredentialRequest;
  };
  "GET /skill/{toolName}": {
    params: {
      /** The tool's name. */
      toolName: string;
    };
    query?: {
      format?: ("markdown" | "json");
    };
    response: Skill;
  };
  "GET /skills/search": {
    query?: {
      /** What a tool should do. Can be repeated; without it, all tools are listed. */
      q?: (string | string[]);
      /** Matches per query. */
      limit?: number;
      /** `1` adds to the first 50 matches why the search found them. */
      explain?: ("0" | "1");
    };
    response: SearchResults;
  };
  "GET /unmet-searches": {
    response: UnmetSearch[];
  };
  "POST /upload": {
    query?: {
      /** Name of the file. With it, the body is the bytes of the file, and `Content-Type` their media type. */
      fileName?: string;
    };
    body: UploadFileInput;
    response: UploadedFile;
  };
  "GET /files/{fileId}": {
    params: {
      /** The ID of the file. */
      fileId: string;
    };
    response: never;
  };
  "DELETE /files/{fileId}": {
    params: {
      /** The ID of the file. */
      fileId: string;
    };
  };
  "GET /files": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      /** Filters by the run that saved it. */
      runId?: string;
      /** Filters by user ID; `me` is the caller. */
      userId?: string;
    };
    response: ListedFile[];
  };
  "POST /files/{fileId}/links": {
    params: {
      /** The ID of the file. */
      fileId: string;
    };
    body?: CreateFileLinkInput;
    response: FileLink;
  };
  "GET /credentials": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
    };
    response: Credential[];
  };
  "POST /credentials": {
    body: CreateCredentialInput;
    response: CreatedCredential;
  };
  "POST /credentials/{name}/connect": {
    params: {
      name: string;
    };
    query?: {
      /** The owner of the credential, if you and the workspace both have one of this name. */
      owner?: ("user" | "workspace");
    };
    response: CreatedCredential;
  };
  "PUT /credentials/{name}": {
    params: {
      name: string;
    };
    query?: {
      /** The owner of the credential, if you and the workspace both have one of this name. */
      owner?: ("user" | "workspace");
    };
    body: ReplaceCredentialInput;
    response: Credential;
  };
  "DELETE /credentials/{name}": {
    params: {
      name: string;
    };
    query?: {
      /** The owner of the credential, if you and the workspace both have one of this name. */
      owner?: ("user" | "workspace");
    };
  };
  "GET /tools/{name}/approvals": {
    params: {
      /** The tool's name. */
      name: string;
    };
    response: ToolApprovals;
  };
  "POST /tools/{name}/approvals": {
    params: {
      /** The tool's name. */
      name: string;
    };
    body: ApproveToolInput;
    response: ToolApprovals;
  };
  "DELETE /tools/{name}/approvals": {
    params: {
      /** The tool's name. */
      name: string;
    };
    query?: {
      /** Whose credentials the approval covers. */
      owner?: ("user" | "workspace");
    };
  };
  "DELETE /tools/{name}/approvals/always-allow": {
    params: {
      /** The tool's name. */
      name: string;
    };
  };
  "GET /me": {
    response: Me;
  };
  "DELETE /me": {
    body: DeleteAccountInput;
  };
  "GET /api-keys": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      owner?: ("me" | "anyone");
    };
    response: ApiKey[];
  };
  "POST /api-keys": {
    body: CreateApiKeyInput;
    response: CreatedApiKey;
  };
  "DELETE /api-keys/{id}": {
    params: {
      id: string;
    };
  };
  "GET /audit-events": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      /** The order of the items. */
      sort?: ("newest" | "oldest");
      /** `true` adds the header `X-Total-Count`. Items beyond the first 10,000 are not examined; if there are more, `X-Total-Count-Relation` is `gte`. */
      total?: ("true" | "false");
      /** Filters by user ID. */
      actor?: string;
      action?: string;
      target?: string;
      /** Filters by text in the name or email address of the actor or of the user concerned, in the name or title of the tool, or in the details. */
      q?: string;
      /** Format: date-time */
      since?: string;
      /** Format: date-time */
      until?: string;
    };
    response: AuditEvent[];
  };
  "GET /audit-events/verification": {
    query?: {
      /** The `next` of the previous response. */
      after?: number;
    };
    response: AuditVerification;
  };
  "GET /sessions": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
    };
    response: Session[];
  };
  "DELETE /sessions/{id}": {
    params: {
      id: string;
    };
  };
  "GET /me/export": {
    response: AccountExport;
  };
  "GET /workspaces": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
    };
    response: Workspace[];
  };
  "POST /workspaces": {
    body: CreateWorkspaceInput;
    response: Workspace;
  };
  "PATCH /workspaces/{id}": {
    params: {
      /** The ID of the workspace. */
      id: string;
    };
    body: CreateWorkspaceInput;
    response: Workspace;
  };
  "DELETE /workspaces/{id}": {
    params: {
      /** The ID of the workspace. */
      id: string;
    };
    body: DeleteWorkspaceInput;
  };
  "POST /workspaces/{id}/transfer": {
    params: {
      /** The ID of the workspace. */
      id: string;
    };
    body: TransferWorkspaceInput;
    response: Member;
  };
  "GET /workspaces/{id}/members": {
    params: {
      /** The ID of the workspace. */
      id: string;
    };
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
    };
    response: Member[];
  };
  "PATCH /workspaces/{id}/members/{userId}": {
    params: {
      /** The ID of the workspace. */
      id: string;
      userId: string;
    };
    body: UpdateMemberInput;
    response: Member;
  };
  "DELETE /workspaces/{id}/members/{userId}": {
    params: {
      /** The ID of the workspace. */
      id: string;
      userId: string;
    };
  };
  "GET /workspaces/{id}/invitations": {
    params: {
      /** The ID of the workspace. */
      id: string;
    };
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
    };
    response: Invitation[];
  };
  "POST /workspaces/{id}/invitations": {
    params: {
      /** The ID of the workspace. */
      id: string;
    };
    body: CreateInvitationInput;
    response: CreatedInvitation;
  };
  "DELETE /workspaces/{id}/invitations/{invitationId}": {
    params: {
      /** The ID of the workspace. */
      id: string;
      invitationId: string;
    };
  };
  "POST /invitations/{token}/accept": {
    params: {
      token: string;
    };
    response: AcceptedInvitation;
  };
  "GET /workspaces/{id}/settings": {
    params: {
      /** The ID of the workspace. */
      id: string;
    };
    response: WorkspaceSettings;
  };
  "PATCH /workspaces/{id}/settings": {
    params: {
      /** The ID of the workspace. */
      id: string;
    };
    body: UpdateWorkspaceSettingsInput;
    response: WorkspaceSettings;
  };
  "GET /workspaces/{id}/chat": {
    params: {
      /** The ID of the workspace. */
      id: string;
    };
    response: ChatConnection[];
  };
  "GET /workspaces/{id}/chat/platforms": {
    params: {
      /** The ID of the workspace. */
      id: string;
    };
    response: ChatPlatformState[];
  };
  "GET /workspaces/{id}/chat/dead-letters": {
    params: {
      /** The ID of the workspace. */
      id: string;
    };
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
    };
    response: DeadLetter[];
  };
  "POST /workspaces/{id}/chat/dead-letters/{messageId}/requeue": {
    params: {
      /** The ID of the workspace. */
      id: string;
      messageId: string;
    };
  };
  "POST /workspaces/{id}/chat/{platform}/connect": {
    params: {
      /** The ID of the workspace. */
      id: string;
      platform: string;
    };
    response: ChatConnectUrl;
  };
  "PATCH /workspaces/{id}/chat/{connectionId}": {
    params: {
      /** The ID of the workspace. */
      id: string;
      connectionId: string;
    };
    body: UpdateChatConnectionInput;
    response: ChatConnection;
  };
  "DELETE /workspaces/{id}/chat/{connectionId}": {
    params: {
      /** The ID of the workspace. */
      id: string;
      connectionId: string;
    };
  };
  "GET /chat-links": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
    };
    response: ChatLink[];
  };
  "DELETE /chat-links/{linkId}": {
    params: {
      linkId: string;
    };
  };
  "GET /webhooks": {
    response: Webhook[];
  };
  "POST /webhooks": {
    body: CreateWebhookInput;
    response: CreatedWebhook;
  };
  "GET /webhooks/{id}": {
    params: {
      /** The ID of the webhook. */
      id: string;
    };
    response: Webhook;
  };
  "PATCH /webhooks/{id}": {
    params: {
      /** The ID of the webhook. */
      id: string;
    };
    body: UpdateWebhookInput;
    response: Webhook;
  };
  "DELETE /webhooks/{id}": {
    params: {
      /** The ID of the webhook. */
      id: string;
    };
  };
  "POST /webhooks/{id}/rotate-secret": {
    params: {
      /** The ID of the webhook. */
      id: string;
    };
    response: RotatedWebhookSecret;
  };
  "POST /webhooks/{id}/test": {
    params: {
      /** The ID of the webhook. */
      id: string;
    };
    response: WebhookTestResult;
  };
  "GET /webhooks/{id}/deliveries": {
    params: {
      /** The ID of the webhook. */
      id: string;
    };
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      state?: ("pending" | "delivered" | "dead");
    };
    response: WebhookDelivery[];
  };
  "POST /webhooks/{id}/deliveries/{eventId}/requeue": {
    params: {
      /** The ID of the webhook. */
      id: string;
      eventId: string;
    };
  };
  "POST /webhooks/{id}/requeue-dead-letters": {
    params: {
      /** The ID of the webhook. */
      id: string;
    };
  };
  "GET /alerts": {
    response: Alert[];
  };
  "POST /alerts": {
    body: CreateAlertInput;
    response: Alert;
  };
  "GET /alerts/{id}": {
    params: {
      /** The ID of the alert. */
      id: string;
    };
    response: Alert;
  };
  "PATCH /alerts/{id}": {
    params: {
      /** The ID of the alert. */
      id: string;
    };
    body: UpdateAlertInput;
    response: Alert;
  };
  "DELETE /alerts/{id}": {
    params: {
      /** The ID of the alert. */
      id: string;
    };
  };
  "POST /alerts/{id}/test": {
    params: {
      /** The ID of the alert. */
      id: string;
    };
  };
  "GET /alerts/{id}/events": {
    params: {
      /** The ID of the alert. */
      id: string;
    };
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
    };
    response: AlertEvent[];
  };
  "GET /connected-apps": {
    query?: {
      /** Items per page. */
      limit?: number;
      /** The cursor of the page, from the Link header of the previous one. */
      cursor?: string;
      owner?: ("me" | "anyone");
    };
    response: ConnectedApp[];
  };
  "DELETE /connected-apps/{id}": {
    params: {
      id: string;
    };
  };
  "GET /install": {
    response: InstallInfo;
  };
};

/** An error as RFC 9457 problem details. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ("invalid_request" | "invalid_input" | "invalid_tool" | "idempotency_key_missing" | "idempotency_key_invalid" | "unauthenticated" | "insufficient_scope" | "forbidden" | "tool_not_found" | "run_not_found" | "file_not_found" | "not_found" | "method_not_allowed" | "not_acceptable" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "credential_name_taken" | "already_member" | "last_owner" | "chat_team_taken" | "idempotency_in_flight" | "run_not_cancellable" | "question_closed" | "tool_in_use" | "version_not_live" | "already_imported" | "document_mismatch" | "draft_changed" | "draft_limit" | "connection_failed" | "credentials_missing" | "definition_changed" | "idempotency_key_reused" | "rate_limited" | "quota_exceeded" | "internal" | "unavailable");
  requestId: string;
  errors?: {
      path: string;
      message: string;
      file?: string;
      line?: number;
      column?: number;
    }[];
  /** Only for `draft_changed`: the revision that the draft is at. */
  revision?: number;
  /** Only for `version_not_live` and `precondition_failed`: the live version of the tool. */
  version?: number;
  /** Only for `already_imported`: the tool that the item already has. */
  toolName?: string;
  /** Only for `idempotency_in_flight`: the run that the original request started. */
  runId?: string;
  /** Only for `insufficient_scope`: the scope to request. */
  requiredScope?: string;
  /** Only for `quota_exceeded`: the limit that was reached. */
  limit?: {
    name: string;
    max: number;
  };
  /** Only for `definition_changed`: the page where the change is reviewed. */
  reviewUrl?: string;
  /** Only for `credentials_missing`: the unavailable credentials. */
  missing?: MissingCredential[];
};

export type MissingCredential = {
  name: string;
  /** Why the credential is unavailable. `not_exposable`: the version requests the value itself, but the credential's owner has not allowed that, or the tool belongs to another workspace. */
  reason: ("missing" | "not_connected" | "not_approved" | "not_exposable");
  /** Omitted if the reason is `missing`. */
  owner?: ("user" | "workspace");
  /** Only for `not_approved`: the requested access that has not been approved. */
  new?: ApprovalNeeds;
  connectUrl: string;
};

export type ApprovalNeeds = {
  credentials: {
      name: string;
      /** Hosts that the credential may be sent to. "*" stands for all of the credential's own hosts. */
      hosts: string[];
      /** Whether the tool's code can read the value. */
      expose: boolean;
    }[];
  /** All hosts that the tool may connect to. */
  allowedHosts: string[];
};

/** A tool that the caller may run. */
export type Tool = {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: OutputSchema;
  fileFields: string[];
  title: string;
  version: number;
  visibility: ("private" | "workspace" | "public");
  /** Whether the tool has effects that cannot be undone. The chat bot asks for confirmation before running it. */
  confirm: boolean;
  credentials: ToolCredential[];
  /** Format: uri */
  toolUrl: string;
  /** Format: date-time */
  updatedAt: string;
  /** Only for public tools of other workspaces: whether this workspace has installed the tool. */
  installed?: boolean;
  /** Only for installed tools: a newer version that this workspace has not accepted yet. */
  update?: {
    version: number;
  };
  /** Runs are refused with `definition_changed` until a change of its import is reviewed. Omitted in search results. */
  isOnHold?: boolean;
  /** Whether you created the tool. Omitted in search results. */
  mine?: boolean;
  /** All hosts that the tool may connect to. Only in the catalog and for a single tool. */
  allowedHosts?: string[];
  /** Only for tools of this workspace that were published from Git. Omitted in search results. */
  publishedFrom?: PublishedFrom;
  /** The author and workspace of the tool. Only in the catalog. */
  publisher?: {
    /** Name of the author. Empty if the account is deleted. */
    author: string;
    workspace: string;
  };
};

export type OutputSchema = {
  properties: {
      name: string;
      type: ("string" | "number" | "integer" | "boolean" | "object" | "array" | "null" | "any");
      description: string;
      optional?: boolean;
      lenient?: boolean;
      [name: string]: unknown;
    }[];
};

export type ToolCredential = {
  name: string;
  description: string;
  hosts: string[];
  expose?: boolean;
  /**
   * The MCP server at which users sign in to get this credential, instead of entering a value. `hosts` must contain its host.
   *
   * Format: uri
   */
  resource?: string;
};

/** The Git commit and folder that a tool was last published from. */
export type PublishedFrom = {
  commit: string;
  path: string;
  /** The version with this content. */
  version: number;
};

/** The definition of a new tool. */
export type CreateToolInput = {
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** Default: `{"properties":[]}`. */
  outputSchema?: OutputSchemaInput;
  /** Default: `[]`. */
  fileFields?: string[];
  source: ToolSourceInput;
  /** Default: `[]`. */
  credentials?: ToolCredentialInput[];
  /** Default: `[]`. */
  allowedHosts?: string[];
  /** Default: `900000`. */
  timeoutMs?: number;
  /** Default: `{}`. */
  limits?: RunLimitsInput;
  /** Default: `"reuse"`. */
  isolation?: ("reuse" | "fresh");
  /** Whether the tool is safe to run again. A run of an idempotent tool is restarted if its node dies. Default: `false`. */
  idempotent?: boolean;
  /** Whether the tool has effects that cannot be undone. The chat bot asks for confirmation before running it. Default: `false`. */
  confirm?: boolean;
  /** Default: `"workspace"`. */
  visibility?: ("private" | "workspace" | "public");
  /** Default: `[]`. */
  examples?: ToolExampleInput[];
};

export type OutputSchemaInput = {
  properties: {
      name: string;
      type: ("string" | "number" | "integer" | "boolean" | "object" | "array" | "null" | "any");
      /** Default: `""`. */
      description?: string;
      optional?: boolean;
      lenient?: boolean;
      [name: string]: unknown;
    }[];
};

export type ToolSourceInput = {
  language: ("typescript" | "javascript");
  code: string;
  dependencies?: { [name: string]: string };
};

export type ToolCredentialInput = {
  name: string;
  /** Default: `""`. */
  description?: string;
  /** Default: `[]`. */
  hosts?: string[];
  expose?: boolean;
  /**
   * The MCP server at which users sign in to get this credential, instead of entering a value. `hosts` must contain its host.
   *
   * Format: uri
   */
  resource?: string;
};

/** Limits of a run. At most those of the server. */
export type RunLimitsInput = {
  cpuMs?: number;
  memoryMb?: number;
  outputBytes?: number;
  logBytes?: number;
};

export type ToolExampleInput = {
  name?: string;
  input: Record<string, unknown>;
  output?: Record<string, unknown>;
  expect?: ExampleExpectationInput;
  /** Small files, by file field. Who runs the example uploads them, and sends their IDs instead of those in `input`. */
  files?: { [name: string]: ExampleFileInput };
};

/** What a run with the input must end with. Without it, the run must complete with everything that `output` has. */
export type ExampleExpectationInput = ({
  type: "subset";
} | {
  type: "equal";
} | {
  type: "snapshot";
} | {
  type: "schema";
  schema: Record<string, unknown>;
} | {
  type: "pattern";
  path: string;
  pattern: string;
} | {
  type: "failure";
  code: string;
});

export type ExampleFileInput = {
  fileName: string;
  mimeType: string;
  /** Format: base64 */
  contentBase64: string;
};

/** A tool with its source and settings. */
export type ToolDetail = {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: OutputSchema;
  fileFields: string[];
  title: string;
  version: number;
  visibility: ("private" | "workspace" | "public");
  /** Whether the tool has effects that cannot be undone. The chat bot asks for confirmation before running it. */
  confirm: boolean;
  credentials: ToolCredential[];
  /** Format: uri */
  toolUrl: string;
  /** Format: date-time */
  updatedAt: string;
  /** Only for public tools of other workspaces: whether this workspace has installed the tool. */
  installed?: boolean;
  /** Only for installed tools: a newer version that this workspace has not accepted yet. */
  update?: {
    version: number;
  };
  /** Runs are refused with `definition_changed` until a change of its import is reviewed. Omitted in search results. */
  isOnHold?: boolean;
  /** Whether you created the tool. Omitted in search results. */
  mine?: boolean;
  allowedHosts: string[];
  /** Only for tools of this workspace that were published from Git. Omitted in search results. */
  publishedFrom?: PublishedFrom;
  /** The author and workspace of the tool. Only in the catalog. */
  publisher?: {
    /** Name of the author. Empty if the account is deleted. */
    author: string;
    workspace: string;
  };
  /** Omitted for tools that are installed from another workspace. */
  source?: ToolSource;
  timeoutMs: number;
  limits: RunLimits;
  isolation: ("reuse" | "fresh");
  /** Whether the tool is safe to run again. A run of an idempotent tool is restarted if its node dies. */
  idempotent: boolean;
  examples: ToolExample[];
  /** What makes the tool harder to use, such as inputs without a description. */
  warnings?: {
      path: string;
      message: string;
    }[];
  /** Why runs are refused with `definition_changed`, only in `GET /tools/{name}`: the MCP server that the tool calls changed its definition, no longer offers it, or could not be checked for a day. */
  hold?: ("changed" | "removed" | "unchecked");
  /** Format: date-time */
  createdAt: string;
};

export type ToolSource = {
  language: ("typescript" | "javascript");
  code: string;
  dependencies?: { [name: string]: string };
};

/** Limits of a run. At most those of the server. */
export type RunLimits = {
  cpuMs?: number;
  memoryMb?: number;
  outputBytes?: number;
  logBytes?: number;
};

export type ToolExample = {
  name?: string;
  input: Record<string, unknown>;
  output?: Record<string, unknown>;
  expect?: ExampleExpectation;
  /** Small files, by file field. Who runs the example uploads them, and sends their IDs instead of those in `input`. */
  files?: { [name: string]: ExampleFile };
};

/** What a run with the input must end with. Without it, the run must complete with everything that `output` has. */
export type ExampleExpectation = ({
  type: "subset";
} | {
  type: "equal";
} | {
  type: "snapshot";
} | {
  type: "schema";
  schema: Record<string, unknown>;
} | {
  type: "pattern";
  path: string;
  pattern: string;
} | {
  type: "failure";
  code: string;
});

export type ExampleFile = {
  fileName: string;
  mimeType: string;
  /** Format: base64 */
  contentBase64: string;
};

/** The fields of a tool to change. */
export type UpdateToolInput = {
  title?: string;
  description?: string;
  inputSchema?: Record<string, unknown>;
  outputSchema?: OutputSchemaInput;
  fileFields?: string[];
  source?: ToolSourceInput;
  credentials?: ToolCredentialInput[];
  allowedHosts?: string[];
  timeoutMs?: number;
  limits?: RunLimitsInput;
  isolation?: ("reuse" | "fresh");
  /** Whether the tool is safe to run again. A run of an idempotent tool is restarted if its node dies. */
  idempotent?: boolean;
  /** Whether the tool has effects that cannot be undone. The chat bot asks for confirmation before running it. */
  confirm?: boolean;
  visibility?: ("private" | "workspace" | "public");
  examples?: ToolExampleInput[];
};

export type ToolVersion = {
  version: number;
  title: string;
  description: string;
  live: boolean;
  /** Format: date-time */
  createdAt: string;
  createdBy: string;
  restoredFrom: (number | null);
  /** How many of its examples passed when they were run last. */
  examples?: {
    /** Format: date-time */
    at: string;
    passed: number;
    failed: number;
    skipped: number;
  };
};

/** A version of a tool with its complete definition. */
export type ToolVersionDetail = {
  version: number;
  title: string;
  description: string;
  live: boolean;
  /** Format: date-time */
  createdAt: string;
  createdBy: string;
  restoredFrom: (number | null);
  inputSchema: Record<string, unknown>;
  outputSchema: OutputSchema;
  fileFields: string[];
  source: ToolSource;
  credentials: ToolCredential[];
  allowedHosts: string[];
  timeoutMs: number;
  limits: RunLimits;
  isolation: ("reuse" | "fresh");
  /** Whether the tool is safe to run again. A run of an idempotent tool is restarted if its node dies. */
  idempotent: boolean;
  /** Whether the tool has effects that cannot be undone. The chat bot asks for confirmation before running it. */
  confirm: boolean;
  examples: ToolExample[];
  /** Results of running its examples before it was published, newest first. */
  exampleResults: ExampleResults[];
};

/** The results of running all examples once, as the client that ran them reported. */
export type ExampleResults = {
  revision: number;
  /** Format: date-time */
  at: string;
  passed: number;
  failed: number;
  skipped: number;
  results: ExampleResult[];
};

export type ExampleResult = {
  /** Its index. */
  example: number;
  status: ("passed" | "failed" | "skipped");
  /** Format: uuid */
  runId?: string;
  durationMs?: number;
  message?: string;
};

export type ArchivedTool = {
  name: string;
  title: string;
  visibility: ("private" | "workspace" | "public");
  /** Total size of all stored versions, which counts towards `WORKSPACE_MAX_TOOL_BYTES`. */
  bytes: number;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  archivedAt: string;
  /** Whether you created the tool. Omitted in search results. */
  mine?: boolean;
  publishedFrom?: PublishedFrom;
};

/** An installed tool: the accepted version, and an available update. */
export type ToolInstall = {
  name: string;
  /** The version that this workspace uses. */
  version: number;
  installedBy: string;
  /** Format: date-time */
  installedAt: string;
  /** Who accepted the version. Null if it was accepted automatically. */
  acceptedBy: (string | null);
  /** Format: date-time */
  acceptedAt: string;
  update: (ToolUpdate | null);
};

export type ToolUpdate = {
  version: number;
  /** Format: date-time */
  publishedAt: string;
  /** Why the update must be reviewed: additional access that it requests, and `input`, `output` or `texts` if the input schema, the output schema, or descriptions have changed. Updates without a reason can be accepted automatically. */
  asksFor: ("credentials" | "expose" | "hosts" | "input" | "output" | "texts" | "limits" | "confirm" | "isolation" | "retries")[];
  /** Additional credentials and hosts that it requests. */
  new: ApprovalNeeds;
  /** Whether the code has changed. Only the author can see the code. */
  codeChanged: boolean;
  changes: ToolChange[];
};

export type ToolChange = {
  /** A field of the tool, such as `allowedHosts`. */
  field: string;
  before: unknown;
  after: unknown;
};

export type InstallToolInput = {
  /** The live version that you reviewed. By default, the current live version. */
  version?: number;
};

export type AcceptUpdateInput = {
  /** The live version that you reviewed. */
  version: number;
};

/** A template for a new tool. */
export type Template = {
  id: string;
  title: string;
  description: string;
  /** `starter`: a minimal tool that shows one feature. `example`: a complete tool. */
  kind: ("starter" | "example");
  /** The body of `POST /tools`, possibly incomplete. It is not validated until the draft is run or published. */
  definition: Record<string, unknown>;
};

/** A draft without its definition. */
export type DraftSummary = {
  id: string;
  /** The tool that the draft changes. Null for a new tool. */
  toolName: (string | null);
  /** The definition's title. Empty if it has none. */
  title: string;
  /** The version of the tool that the draft is based on. Null for a new tool. */
  baseVersion: (number | null);
  /** Incremented each time the draft is saved. */
  revision: number;
  /** The import and the item that the draft was made from. */
  import: ({
    id: string;
    title: string;
    key: string;
  } | null);
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
};

export type CreateDraftInput = {
  /** The tool to change. Omit it, or set it to null, for a new tool. */
  toolName?: (string | null);
  /** The tool that the definition was copied from. The draft gets no credentials for the access that this tool requests until you approve it. */
  copyOf?: (string | null);
  /** The body of `POST /tools`, possibly incomplete. It is not validated until the draft is run or published. */
  definition: Record<string, unknown>;
};

/** The unpublished version of a tool. */
export type Draft = {
  id: string;
  /** The tool that the draft changes. Null for a new tool. */
  toolName: (string | null);
  /** The definition's title. Empty if it has none. */
  title: string;
  /** The version of the tool that the draft is based on. Null for a new tool. */
  baseVersion: (number | null);
  /** Incremented each time the draft is saved. */
  revision: number;
  /** The import and the item that the draft was made from. */
  import: ({
    id: string;
    title: string;
    key: string;
  } | null);
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
  /** The body of `POST /tools`, possibly incomplete. It is not validated until the draft is run or published. */
  definition: Record<string, unknown>;
};

export type UpdateDraftInput = {
  /** The latest revision that you loaded. */
  revision: number;
  /** The body of `POST /tools`, possibly incomplete. It is not validated until the draft is run or published. */
  definition: Record<string, unknown>;
};

/** Types of a draft's npm packages. */
export type PackageTypes = {
  /** The tool's declared dependencies. */
  packages: {
      name: string;
      /** The installed version. */
      version: string;
      /** `there`: included in `files`, from the package or its `@types` package. `none`: the package has no types. `too_large`: omitted because of the size limit. */
      types: ("there" | "none" | "too_large");
    }[];
  /** Declaration files, and the fields of each `package.json` that locate them, including those of transitive dependencies. */
  files: {
      /** Path with "/" separators, such as "node_modules/zod/index.d.ts". */
      path: string;
      text: string;
    }[];
};

/** The state of a run when it ended or when the wait was over. */
export type RunResult = {
  runId: string;
  status: ("running" | "completed" | "failed" | "cancelled");
  /** Format: uri */
  toolUrl: string;
  output?: Record<string, unknown>;
  error?: RunError;
  queued?: boolean;
  /** What the tool asks the user who started the run, while it waits for the answer. */
  question?: Question;
};

/** Why a run failed. */
export type RunError = {
  code: ("tool_error" | "invalid_output" | "timeout" | "cpu_limit" | "memory_limit" | "output_too_large" | "egress_denied" | "interrupted" | "sandbox_lost");
  message: string;
  stack?: string;
};

/** A question that a running tool asks its user. */
export type Question = {
  id: string;
  /** Written by the tool: untrusted text. */
  message: string;
  /** JSON Schema of the answer: a flat form. */
  schema: Record<string, unknown>;
  /** Format: date-time */
  expiresAt: string;
};

export type CreateExampleResultsInput = {
  /** The revision of the draft that was run. */
  revision: number;
  results: ExampleResultInput[];
};

export type ExampleResultInput = {
  /** Its index. */
  example: number;
  status: ("passed" | "failed" | "skipped");
  /** Format: uuid */
  runId?: string;
  durationMs?: number;
  message?: string;
};

/** The access that a revision of a draft requests. */
export type DraftApprovals = {
  revision: number;
  title: string;
  requested: ApprovalNeeds;
};

export type ApproveDraftInput = {
  /** The latest revision that you loaded. */
  revision: number;
};

export type PublishDraftInput = {
  /** The latest revision that you loaded. */
  revision: number;
  /** The live version that you reviewed, if it is not the draft's base version. */
  baseVersion?: number;
  /** Publishes another tool of an item of an import that already has one. Default: `false`. */
  allowDuplicate?: boolean;
};

/** Whether tools can send requests to a server. */
export type ServerCheck = {
  /** Why tools cannot send requests to the server; null if nothing in its URL shows it. */
  reason: (string | null);
};

export type CreateDraftFromRequestInput = {
  /** The title of the tool. */
  title: string;
  method: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE");
  /**
   * Scheme and host, such as `https://api.example.com`.
   *
   * Format: uri
   */
  server: string;
  /**
   * The path, with `{name}` for each field in it.
   *
   * Format: starts_with
   */
  path: string;
  /** Default: `{"kind":"none"}`. */
  body?: {
    kind: ("none" | "json" | "form" | "multipart" | "text" | "file");
    mediaType?: string;
  };
  /** The media type of the response. JSON by default. */
  accept?: string;
  /** Values of the request. Inputs with the same name and sample are one input of the tool, which is sent in each place. */
  fields: ({
      from: "input";
      in: ("path" | "query" | "header" | "body" | "file" | "whole");
      /** The name that the API uses. Empty for a whole body. */
      name: string;
      /** Its type and the example are made from it. Must not be a secret. */
      sample?: unknown;
    } | {
      from: "fixed";
      in: ("path" | "query" | "header" | "body" | "whole");
      /** The name that the API uses. Empty for a whole body. */
      name: string;
      /** Written into the code. Must not be a secret. */
      value: unknown;
    } | {
      from: "credential";
      in: ("path" | "query" | "header" | "body");
      /** The name that the API uses. Empty for a whole body. */
      name: string;
      credential: string;
      /** Text before the credential's value, such as `Bearer `. Default: `""`. */
      prefix?: string;
    } | {
      from: "login";
      user: ({
        credential: string;
      } | {
        value: string;
      });
      password: ({
        credential: string;
      } | {
        value: string;
      });
    })[];
};

/** A draft that was made of a request. */
export type DraftFromRequest = {
  id: string;
  /** The tool that the draft changes. Null for a new tool. */
  toolName: (string | null);
  /** The definition's title. Empty if it has none. */
  title: string;
  /** The version of the tool that the draft is based on. Null for a new tool. */
  baseVersion: (number | null);
  /** Incremented each time the draft is saved. */
  revision: number;
  /** The import and the item that the draft was made from. */
  import: ({
    id: string;
    title: string;
    key: string;
  } | null);
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
  /** The body of `POST /tools`, possibly incomplete. It is not validated until the draft is run or published. */
  definition: Record<string, unknown>;
  /** What you should know about the tool. */
  notes: string[];
};

/** The newest version of an npm package. */
export type NewestPackage = {
  name: string;
  /** The version with the tag `latest`, or else the highest release. */
  version: string;
};

export type ConnectBridgeInput = {
  /** Lowercase letters, digits and hyphens, at most 40. */
  name: string;
};

/** An MCP server on your machine that your tools can call. */
export type Bridge = {
  id: string;
  name: string;
};

export type BridgeCall = ({
  kind: "call";
  id: string;
  callId: string;
  request: {
    id: (string | number);
    method: string;
    params: Record<string, unknown>;
  };
} | {
  kind: "cancel";
  id: string;
  callId: string;
});

export type AnswerBridgeCallInput = {
  /** The JSON-RPC response, as text. */
  answer: string;
};

/** An OpenAPI document, Postman collection or MCP server that tools come from. */
export type Import = {
  id: string;
  kind: ("openapi" | "mcp");
  title: string;
  description: string;
  /** The version that the document or server states. */
  version: string;
  /** The format of the document, or the revision of the protocol. */
  format: string;
  /** Null if the document was uploaded. */
  url: (string | null);
  /** The name of the uploaded file. Null for a URL, and for older imports. */
  fileName: (string | null);
  /** Base URLs of the API. The first is the default. */
  servers: {
      url: string;
      description: string;
      variables: {
          name: string;
          default: string;
          choices: string[];
          description: string;
        }[];
    }[];
  securitySchemes: {
      name: string;
      kind: ("api_key" | "bearer" | "basic" | "oauth2" | "unsupported");
      description: string;
      /** The names of the credentials that tools use, unless the request chooses others: one, or for `basic` the user name's and the password's. */
      credentialNames: string[];
      /** What the API expects in front of the key in the `Authorization` header, such as "Bearer". The value of the credential must contain it. */
      prefix?: string;
      /** What to enter as the value. */
      hint?: string;
      /** What a connection for this scheme can be created with. */
      connection?: {
        grantType: ("authorization_code" | "client_credentials");
        issuer?: string;
        authorizationUrl?: string;
        tokenUrl?: string;
        scopes: string[];
      };
    }[];
  /** The credential that is sent to the MCP server. */
  credential: (string | null);
  /** The tags that group the items, at most 200, the most frequent first. */
  tags: {
      name: string;
      itemCount: number;
    }[];
  /** What is left out of the document. */
  notes: string[];
  /** SHA-256 of the document in hexadecimal digits, to recognize one that was uploaded. Null for an MCP server. */
  documentHash: (string | null);
  /** The operations or tools that can be imported. */
  itemCount: number;
  /** Those of them that have a tool. */
  importedCount: number;
  /** The tools that were created from it, also of items that were removed since. */
  toolCount: number;
  /** Items without a tool of which you have a draft of a new tool. */
  draftCount: number;
  /** The tools that differ from the last check. */
  changeCount: number;
  /** The tools whose runs are refused until their change is reviewed. */
  holdCount: number;
  /** `failing` if the last check could not read the document or server. */
  status: ("ok" | "failing");
  /** Why the last check failed. */
  problem: (string | null);
  createdBy: string;
  /** Format: date-time */
  createdAt: string;
  /**
   * The time of the last successful check.
   *
   * Format: date-time
   */
  checkedAt: string;
  /** Null if the document was uploaded, so it is not checked. */
  nextCheckAt: (string | null);
};

export type CreateImportInput = ({
  kind: "openapi";
  /**
   * The URL of the document, which is read again each day to find changes.
   *
   * Format: uri
   */
  url?: string;
  /** An uploaded file with the document, instead of a URL. */
  fileId?: string;
  /** Imports a document again that is imported already. Otherwise it is refused with `already_imported`. Default: `false`. */
  allowDuplicate?: boolean;
} | {
  kind: "mcp";
  /** The URL of the MCP server, or `bridge:NAME` for a server that `toolhost bridge` connects. It may contain no secret; `{credential}` in its query stands for the value of the credential. */
  url: string;
  /** `http` is Streamable HTTP, `sse` the older HTTP with SSE. `auto` tries both. Default: `"auto"`. */
  transport?: ("auto" | "http" | "sse");
  /** The credential that is sent to the server, as a bearer token unless the URL contains `{credential}`. Null if it needs none. Default: `null`. */
  credential?: (string | null);
});

export type UpdateImportInput = {
  /** Shown instead of the title that the document or server states. */
  title: string;
};

export type ImportItem = {
  /** `GET /path` for an operation, the tool's name for an MCP server. */
  key: string;
  /** Identifies what a tool is made from. Empty if it cannot be imported. */
  hash: string;
  title: string;
  description: string;
  tags: string[];
  isDeprecated: boolean;
  /** Approximate size of its input schema. */
  schemaBytes: number;
  /** The ways to authenticate of which one is needed: names of security schemes that are used together. An empty list needs no credentials. */
  security: string[][];
  /** The OAuth scopes that it needs, by security scheme, where the document says so. */
  scopes: { [name: string]: string[] };
  /** A check found it in the last 14 days, and it has no tool or draft. */
  isNew: boolean;
  /** Its tool differs from it as of the last check. */
  isChanged: boolean;
  /** Runs of its tool are refused until the change is reviewed. */
  isOnHold: boolean;
  /** Why it cannot be imported. */
  problem: (string | null);
  /** The tool that was created from it, unless it is archived or not visible to you. */
  toolName: (string | null);
  /** Your latest draft of a new tool that was created from it. */
  draftId: (string | null);
};

export type CreateImportedToolsInput = {
  keys: string[];
  /** The `hash` of each item that you reviewed, in the order of `keys`. Items that changed since are refused. */
  hashes?: string[];
  /** `true` publishes tools. `false` creates drafts, which only you see until you publish them. Default: `false`. */
  publish?: boolean;
  /** Creates another tool or draft of items that already have one. Otherwise these are refused. Default: `false`. */
  allowDuplicates?: boolean;
  /**
   * The base URL of the API. Required if the document states none.
   *
   * Format: uri
   */
  serverUrl?: string;
  /** Names of credentials by security scheme, instead of the defaults. Of several ways to authenticate, the one whose schemes are all named is used. Default: `{}`. */
  credentials?: { [name: string]: string[] };
  /** How the API authenticates, instead of what the document declares. Some documents declare nothing. */
  authentication?: ImportAuthenticationInput;
  /** Default: `"workspace"`. */
  visibility?: ("private" | "workspace");
  /** Titles of the tools by key, instead of those of the items. Later changes of an item keep them. Default: `{}`. */
  titles?: { [name: string]: string };
};

export type ImportAuthenticationInput = ({
  kind: "none";
} | {
  kind: "bearer";
  credential: string;
} | {
  kind: "api_key";
  in: ("header" | "query");
  /** The name of the header or query parameter. */
  name: string;
  credential: string;
} | {
  kind: "basic";
  userCredential: string;
  passwordCredential: string;
});

export type ImportedTool = {
  key: string;
  /** The published tool. With a problem: the tool that the item already has. */
  toolName: (string | null);
  /** The draft, if it was not published. With a problem: your draft that the item already has. */
  draftId: (string | null);
  /** What differs from the document or server. */
  notes: string[];
  /** Why nothing was created for this item. */
  problem: (string | null);
};

export type PublishImportedDraftsInput = {
  drafts: {
      id: string;
      /** The latest revision that you loaded. */
      revision: number;
    }[];
};

export type CheckImportInput = {
  /** A new version of the document, for an import that was uploaded. */
  fileId?: string;
  /** Accepts an uploaded document that describes another API. Default: `false`. */
  allowMismatch?: boolean;
};

export type ImportChange = {
  key: string;
  kind: ("changed" | "removed");
  toolName: string;
  /** The tool was edited after the import. Applying the change discards the edits, a draft combines both. */
  isEdited: boolean;
  /** Runs are refused with `definition_changed` until the change is applied. */
  isOnHold: boolean;
  /** Identifies the live version, and what applying the change publishes. */
  hash: string;
  /** The definition of the live version. */
  before: Record<string, unknown>;
  /** The definition that applying the change publishes. Null if it was removed. */
  after: (Record<string, unknown> | null);
  /** The definition that the import made before, with which edits and changes are compared. Null if it is unknown, or the tool was not edited. */
  generated: (Record<string, unknown> | null);
  /** The parts of `before` and `after` that differ, such as `description`, `inputSchema` or `code`, and which side changed them. A draft needs a pick for those that `both` changed. */
  parts: {
      part: string;
      changedBy: ("edit" | "source" | "both");
    }[];
  /** Your draft of this change. Null if you have none. */
  draftId: (string | null);
  notes: string[];
};

export type ApplyImportChangesInput = {
  changes: {
      toolName: string;
      /** The `hash` of the change you reviewed. */
      hash: string;
      /** Required to publish the change of a tool that was edited. Default: `false`. */
      discardEdits?: boolean;
      /** For the draft of a tool that was edited: which side to take of parts that both changed. Default: `{}`. */
      picks?: { [name: string]: ("edited" | "changed") };
    }[];
  /** `true` publishes the changes, and archives the tools of removed items. `false` creates drafts, which combine edits with the change. Default: `false`. */
  publish?: boolean;
};

/** A run in a list. A large input or output is omitted. */
export type RunSummary = {
  runId: string;
  status: ("running" | "completed" | "failed" | "cancelled");
  /** Format: uri */
  toolUrl: string;
  output?: Record<string, unknown>;
  error?: RunError;
  queued?: boolean;
  /** What the tool asks the user who started the run, while it waits for the answer. */
  question?: Question;
  toolName: string;
  toolVersion: number;
  attempt: number;
  /** Format: date-time */
  createdAt: string;
  startedAt: (string | null);
  finishedAt: (string | null);
  durationMs: (number | null);
  progress: ({
    fraction: number;
    message?: string;
  } | null);
  input?: Record<string, unknown>;
  parentRunId: (string | null);
  via: ("rest" | "mcp" | "bot" | "console" | "schedule");
  /** The user who started the run. */
  userId: string;
  /** Whether it is the run of a draft, which only its author can see. */
  draft: boolean;
  /** The draft that was run. */
  draftId: (string | null);
  /** The batch that it was created with. */
  batchId: (string | null);
  /** How the user who started it rated its result in a chat. */
  feedback: (("good" | "bad") | null);
  /** The title of its tool or draft today. Null if you can no longer see it. */
  title: (string | null);
};

/** The record of a run. */
export type Run = {
  runId: string;
  status: ("running" | "completed" | "failed" | "cancelled");
  /** Format: uri */
  toolUrl: string;
  output?: Record<string, unknown>;
  error?: RunError;
  queued?: boolean;
  /** What the tool asks the user who started the run, while it waits for the answer. */
  question?: Question;
  toolName: string;
  toolVersion: number;
  attempt: number;
  /** Format: date-time */
  createdAt: string;
  startedAt: (string | null);
  finishedAt: (string | null);
  durationMs: (number | null);
  progress: ({
    fraction: number;
    message?: string;
  } | null);
  input: Record<string, unknown>;
  parentRunId: (string | null);
  via: ("rest" | "mcp" | "bot" | "console" | "schedule");
  /** The user who started the run. */
  userId: string;
  /** Whether it is the run of a draft, which only its author can see. */
  draft: boolean;
  /** The draft that was run. */
  draftId: (string | null);
  /** The batch that it was created with. */
  batchId: (string | null);
  /** How the user who started it rated its result in a chat. */
  feedback: (("good" | "bad") | null);
  egress: HostUsage[];
  credentials: UsedCredential[];
};

/** Requests that a run sent to one host. */
export type HostUsage = {
  host: string;
  requests: number;
  bytesSent: number;
  bytesReceived: number;
  refused: number;
  reason?: string;
};

/** A credential that was available to a run. */
export type UsedCredential = {
  name: string;
  owner: ("user" | "workspace");
  /** Whether the tool's code could read the value. Where it sent the value is not recorded. */
  exposed: boolean;
  /** Hosts that the value was sent to, and how often. */
  hosts: {
      host: string;
      count: number;
    }[];
};

export type LogLine = {
  /** Format: date-time */
  at: string;
  level: ("debug" | "info" | "warn" | "error");
  message: string;
};

/** An answer to a question of a run. */
export type AnswerQuestionInput = {
  questionId: string;
  action: ("accept" | "decline" | "cancel");
  /** For `accept`: the values, which must match the question's schema. */
  content?: { [name: string]: (string | number | boolean | string[]) };
};

/** A tool and the inputs of its runs. */
export type CreateRunBatchInput = {
  toolName: string;
  /** The input of each run. All must match the tool's inputSchema. */
  inputs: Record<string, unknown>[];
};

/** Runs of one tool that were created together. */
export type RunBatch = {
  batchId: string;
  toolName: string;
  /** `completed` when all runs have ended, and `cancelled` when they have ended after the batch was cancelled. Runs may have failed in either case. */
  status: ("running" | "completed" | "cancelled");
  /** The number of runs. */
  total: number;
  /** Runs by state. Their sum is below `total` when old runs are deleted after their retention. */
  counts: {
    queued: number;
    running: number;
    completed: number;
    failed: number;
    cancelled: number;
  };
  /** Format: date-time */
  createdAt: string;
  /** The user who created the batch. */
  userId: string;
};

/** The most recent runs of one tool. */
export type ToolActivity = {
  toolName: string;
  /** Newest first, at most eight. Excludes runs of drafts. */
  runs: {
      runId: string;
      status: ("running" | "completed" | "failed" | "cancelled");
      startedAt: (string | null);
      durationMs: (number | null);
    }[];
};

/** Figures of runs, by the time at which they were created. */
export type RunStats = {
  /** Format: date-time */
  from: string;
  /** Format: date-time */
  to: string;
  interval: ("hour" | "day");
  /** Runs that were created earlier are still being counted, as after an upgrade. Null if all are counted. */
  completeSince: (string | null);
  totals: RunCounts;
  /** The figures of each hour or day, oldest first. */
  series: {
      /** Format: date-time */
      start: string;
      completed: number;
      failed: number;
      cancelled: number;
      /** The median duration. Within 5 %, of runs that completed or failed. Null if there are none. */
      p50Ms: (number | null);
      /** The duration that 95 % of the runs did not exceed. Within 5 %, of runs that completed or failed. Null if there are none. */
      p95Ms: (number | null);
    }[];
  /** The ten tools with the most failed runs. */
  failingTools: {
      toolName: string;
      title: (string | null);
      completed: number;
      failed: number;
      cancelled: number;
      /** The median duration. Within 5 %, of runs that completed or failed. Null if there are none. */
      p50Ms: (number | null);
      /** The duration that 95 % of the runs did not exceed. Within 5 %, of runs that completed or failed. Null if there are none. */
      p95Ms: (number | null);
      /** Null if its run was deleted. */
      lastFailure: ({
        runId: string;
        /** Format: date-time */
        at: string;
        error: {
          code: ("tool_error" | "invalid_output" | "timeout" | "cpu_limit" | "memory_limit" | "output_too_large" | "egress_denied" | "interrupted" | "sandbox_lost");
          message: string;
        };
      } | null);
    }[];
  /** The ten tools with the highest `p95Ms`. */
  slowestTools: ToolRunCounts[];
  /** The 50 combinations of user, client and tool with the most runs. */
  usage: RunUsage[];
};

/** How many runs ended how, and how long they took. */
export type RunCounts = {
  completed: number;
  failed: number;
  cancelled: number;
  /** The median duration. Within 5 %, of runs that completed or failed. Null if there are none. */
  p50Ms: (number | null);
  /** The duration that 95 % of the runs did not exceed. Within 5 %, of runs that completed or failed. Null if there are none. */
  p95Ms: (number | null);
};

/** The figures of one tool. */
export type ToolRunCounts = {
  toolName: string;
  title: (string | null);
  completed: number;
  failed: number;
  cancelled: number;
  /** The median duration. Within 5 %, of runs that completed or failed. Null if there are none. */
  p50Ms: (number | null);
  /** The duration that 95 % of the runs did not exceed. Within 5 %, of runs that completed or failed. Null if there are none. */
  p95Ms: (number | null);
};

/** How often a user ran a tool with a client. */
export type RunUsage = {
  userId: string;
  /** An API key, a connected app, or else the interface. */
  client: ("rest" | "mcp" | "bot" | "console" | "schedule" | "key" | "app");
  /** The name of the key or app. Null if it was deleted, or belongs to another user and you cannot list it. */
  clientName: (string | null);
  /** Null for all tools that you cannot see. */
  toolName: (string | null);
  /** The title of the tool; null if it was deleted, or you cannot see it. */
  title: (string | null);
  runs: number;
  failed: number;
};

/** A tool in lists for people. */
export type ToolSummary = {
  name: string;
  title: string;
  visibility: ("private" | "workspace" | "public");
  /** Only for public tools of other workspaces: whether this workspace has installed the tool. */
  installed?: boolean;
  /** Whether you created the tool. Omitted in search results. */
  mine?: boolean;
  /** Only for installed tools: a newer version that this workspace has not accepted yet. */
  update?: {
    version: number;
  };
  /** At most 300 characters of it. */
  description: string;
  /** The author. Null for tools of other workspaces. */
  ownerId: (string | null);
  tags: string[];
  isFavorite: boolean;
  /** Format: date-time */
  updatedAt: string;
  lastRunAt: (string | null);
  /** Finished runs of the last seven days that you can see, among the latest 5,000 of the workspace. */
  runs: {
    completed: number;
    failed: number;
    /** In the last seven days, oldest first. */
    perDay: number[];
  };
};

export type ToolTags = {
  tags: string[];
};

/** All tags of the tool in this workspace. */
export type SetTagsInput = {
  tags: string[];
};

/** What you have set for yourself in this workspace. */
export type Preferences = {
  /** Names of tools. */
  favorites: string[];
  views: {
      /** The list in the console; the one of tools if omitted. */
      page?: ("runs" | "audit");
      name: string;
      /** The search parameters of the list in the console. */
      search: { [name: string]: string };
    }[];
  isChecklistDismissed: boolean;
};

/** The preferences to change. */
export type UpdatePreferencesInput = {
  /** Names of tools. */
  favorites?: string[];
  views?: {
      /** The list in the console; the one of tools if omitted. */
      page?: ("runs" | "audit");
      name: string;
      /** The search parameters of the list in the console. */
      search: { [name: string]: string };
    }[];
  isChecklistDismissed?: boolean;
};

/** A request for credentials of the workspace. */
export type CredentialRequest = {
  id: string;
  tool: {
    name: string;
    title: string;
  };
  user: {
    id: string;
    name: string;
  };
  /** What the tool still lacks for this user. */
  missing: {
      name: string;
      /** Why the credential is unavailable. `not_exposable`: the version requests the value itself, but the credential's owner has not allowed that, or the tool belongs to another workspace. */
      reason: ("missing" | "not_connected" | "not_approved" | "not_exposable");
    }[];
  /** Format: date-time */
  createdAt: string;
};

/** A tool's documentation with its metadata. */
export type Skill = {
  name: string;
  title: string;
  description: string;
  version: number;
  documentation: string;
  inputSchema: Record<string, unknown>;
  outputSchema: OutputSchema;
  fileFields: string[];
  /** Whether the tool has effects that cannot be undone. The chat bot asks for confirmation before running it. */
  confirm: boolean;
  credentials: ToolCredential[];
  examples: ToolExample[];
  /** Format: uri */
  toolUrl: string;
  /** Format: date-time */
  updatedAt: string;
};

export type SearchResults = {
  results: {
      query: string;
      matches: ToolMatch[];
    }[];
};

export type ToolMatch = {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: OutputSchema;
  fileFields: string[];
  title: string;
  version: number;
  visibility: ("private" | "workspace" | "public");
  /** Whether the tool has effects that cannot be undone. The chat bot asks for confirmation before running it. */
  confirm: boolean;
  credentials: ToolCredential[];
  /** Format: uri */
  toolUrl: string;
  /** Format: date-time */
  updatedAt: string;
  /** Only for public tools of other workspaces: whether this workspace has installed the tool. */
  installed?: boolean;
  /** Only for installed tools: a newer version that this workspace has not accepted yet. */
  update?: {
    version: number;
  };
  /** Runs are refused with `definition_changed` until a change of its import is reviewed. Omitted in search results. */
  isOnHold?: boolean;
  /** Whether you created the tool. Omitted in search results. */
  mine?: boolean;
  /** All hosts that the tool may connect to. Only in the catalog and for a single tool. */
  allowedHosts?: string[];
  /** Only for tools of this workspace that were published from Git. Omitted in search results. */
  publishedFrom?: PublishedFrom;
  /** The author and workspace of the tool. Only in the catalog. */
  publisher?: {
    /** Name of the author. Empty if the account is deleted. */
    author: string;
    workspace: string;
  };
  score: number;
  /** Why the search found the tool, most important first. Only with `explain=1`. */
  reasons?: MatchReason[];
};

export type MatchReason = {
  /** A word, phrase or value of the query; for `meaning`, the query. */
  word: string;
  /** The word of the tool that it matches; for `meaning`, the title of the tool. */
  matched: string;
  /** How they match: the same `word` in any form, a `synonym` or `translation` of it, what a `phrase` means, what takes such a `value`, a `similar` word such as a correction or completion, a word `joined` from others or split, or the exact `name`. `learned`: people who searched for the word ran the tool. `meaning`: the embedding model finds the query and the tool similar. */
  through: ("word" | "synonym" | "translation" | "phrase" | "value" | "similar" | "joined" | "name" | "learned" | "meaning");
  /** Where the tool has it: title or name, description, names of parameters, or details such as descriptions of parameters, examples and outputs. Empty for `learned` and `meaning`. */
  fields: ("title" | "description" | "parameters" | "details")[];
};

export type UnmetSearch = {
  /** The words of the search. */
  words: string;
  /** How many people searched for them. */
  people: number;
  /** Whether tools were found, but none of them was run. */
  hasMatches: boolean;
};

/** A file in base64, or the size of a file to upload later. */
export type UploadFileInput = {
  /** Only the last part of a path is used, and control characters are removed. */
  fileName: string;
  mimeType: string;
  contentBase64?: string;
  /** Requests an upload URL that accepts exactly this many bytes with PUT. */
  size?: number;
};

/** A file of the workspace. */
export type UploadedFile = {
  fileId: string;
  fileName: string;
  mimeType: string;
  size: number;
  sha256: (string | null);
  status: ("ready" | "awaiting_upload");
  /** Format: uri */
  uploadUrl?: string;
  /** Format: date-time */
  expiresAt: string;
};

/** A file that a user uploaded or a run saved. */
export type ListedFile = {
  fileId: string;
  fileName: string;
  mimeType: string;
  size: number;
  sha256: (string | null);
  /** Format: date-time */
  expiresAt: string;
  runId: (string | null);
  userId: string;
  /** Format: date-time */
  createdAt: string;
};

/** A download link to create. Default: `{}`. */
export type CreateFileLinkInput = {
  /** How long the link works, up to 7 days and not longer than the file is stored. Default: `3600`. */
  expiresInSeconds?: number;
};

/** A download link that works without authentication. */
export type FileLink = {
  /** Format: uri */
  url: string;
  /** Format: date-time */
  expiresAt: string;
};

/** A secret that tools use. Code can read its value only if `exposable` allows it. */
export type Credential = {
  id: string;
  name: string;
  owner: ("user" | "workspace");
  hosts: string[];
  /** Whether tools of this workspace may request `expose` to read the value itself. Their code can then send or display it in ways that the service cannot detect. */
  exposable: boolean;
  kind: ("value" | "oauth2");
  status: ("ready" | "awaiting_consent" | "needs_reconnect");
  /** Why it must be reconnected. */
  problem: (string | null);
  /** Only for oauth2: the API that the token is for, such as an MCP server. */
  resource: (string | null);
  /** Only for oauth2: the granted scopes. */
  scopes: (string[] | null);
  /** Only for oauth2: when the current token expires. It is refreshed before that, if possible. */
  expiresAt: (string | null);
  /** Format: date-time */
  createdAt: string;
  createdBy: string;
  lastUsedAt: (string | null);
};

export type CreateCredentialInput = {
  name: string;
  value?: string;
  oauth2?: CreateConnectionInput;
  /** Default: `"user"`. */
  owner?: ("user" | "workspace");
  /** The only hosts that the value may be sent to, whatever a tool declares. May be omitted for a connection with a `resource`: then, only its host. */
  hosts?: string[];
  /** Whether tools of this workspace may request `expose` to read the value itself. Their code can then send or display it in ways that the service cannot detect. Default: `false`. */
  exposable?: boolean;
  /** Also approves the access that this version of a tool requests. For a connection, once it is connected. If another version is live by then, the credential is saved and nothing is approved. */
  approve?: {
    /** The tool's name. */
    tool: string;
    /** The live version that you reviewed. */
    version: number;
  };
};

export type CreateConnectionInput = {
  /** Default: `"authorization_code"`. */
  grantType?: ("client_credentials" | "authorization_code");
  /**
   * The API that the tokens are for (RFC 8707), such as the URL of an MCP server. Without `issuer` and `tokenUrl`, its metadata (RFC 9728) names the issuer.
   *
   * Format: uri
   */
  resource?: string;
  /**
   * The issuer, whose metadata (RFC 8414) contains the endpoints.
   *
   * Format: uri
   */
  issuer?: string;
  /** Format: uri */
  authorizationUrl?: string;
  /** Format: uri */
  tokenUrl?: string;
  /**
   * Called when the credential is deleted.
   *
   * Format: uri
   */
  revocationUrl?: string;
  /** Required with `tokenUrl` and for client credentials. Otherwise, the service registers a client if the provider allows it: with its client ID metadata document, or dynamically (RFC 7591). */
  clientId?: string;
  clientSecret?: string;
  /** Default: `[]`. */
  scopes?: string[];
  audience?: string;
  tokenEndpointAuthMethod?: ("client_secret_basic" | "client_secret_post" | "none");
  /** Additional parameters of the authorization request, such as `{"access_type":"offline"}`. Default: `{}`. */
  authorizationParameters?: { [name: string]: string };
};

export type CreatedCredential = {
  id: string;
  name: string;
  owner: ("user" | "workspace");
  hosts: string[];
  /** Whether tools of this workspace may request `expose` to read the value itself. Their code can then send or display it in ways that the service cannot detect. */
  exposable: boolean;
  kind: ("value" | "oauth2");
  status: ("ready" | "awaiting_consent" | "needs_reconnect");
  /** Why it must be reconnected. */
  problem: (string | null);
  /** Only for oauth2: the API that the token is for, such as an MCP server. */
  resource: (string | null);
  /** Only for oauth2: the granted scopes. */
  scopes: (string[] | null);
  /** Only for oauth2: when the current token expires. It is refreshed before that, if possible. */
  expiresAt: (string | null);
  /** Format: date-time */
  createdAt: string;
  createdBy: string;
  lastUsedAt: (string | null);
  /**
   * Open this URL within ten minutes, in a browser where you are signed in, to give consent.
   *
   * Format: uri
   */
  connectUrl?: string;
  /** Whether the version in `approve` was approved. False if another version is live. */
  approved?: boolean;
};

export type ReplaceCredentialInput = {
  value?: string;
  /** The only hosts that the value may be sent to, whatever a tool declares. */
  hosts?: string[];
  /** Whether tools of this workspace may request `expose` to read the value itself. Their code can then send or display it in ways that the service cannot detect. */
  exposable?: boolean;
};

/** The access that the live version requests, and its approvals. */
export type ToolApprovals = {
  tool: {
    name: string;
    title: string;
    /** Name of the tool's author. */
    author: string;
    /** The tool's workspace. `isOwn` is true if it is your current workspace. */
    workspace: {
      id: string;
      name: string;
      isOwn: boolean;
    };
  };
  version: number;
  requested: ApprovalNeeds;
  approvals: ToolApproval[];
  /** Only for `GET`: whether you run the tool from chats without a confirmation. Given in a chat with _Always allow_. */
  alwaysAllowed?: (AlwaysAllowed | null);
  /** Only for `GET`: credentials that would be unavailable to your next run, as in a `credentials_missing` error. */
  missing?: MissingCredential[];
};

export type ToolApproval = {
  owner: ("user" | "workspace");
  /** Whether everything that the live version requests is approved. */
  covered: boolean;
  approved: (ApprovalNeeds | null);
  /** Access that the live version requests in addition. */
  new: ApprovalNeeds;
  /** The version that was approved. */
  version: (number | null);
  how: (("save" | "request" | "upgrade" | "withdrawn") | null);
  by: (string | null);
  at: (string | null);
};

export type AlwaysAllowed = {
  /** The version that was confirmed. */
  version: number;
  /** Whether it covers the live version: the code is the same, and it requests no further credentials or hosts. */
  covered: boolean;
  /** Format: date-time */
  at: string;
};

export type ApproveToolInput = {
  /** The live version that you reviewed. */
  version: number;
  /** Default: `"user"`. */
  owner?: ("user" | "workspace");
};

export type Me = {
  user: {
    id: string;
    email: string;
    name: string;
  };
  workspace: {
    id: string;
    name: string;
    role: string;
  };
  workspaces: {
      id: string;
      name: string;
      role: string;
    }[];
  scopes: Scope[];
  authentication: ("api_key" | "access_token" | "session");
};

/** A permission of an API key. */
export type Scope = ("mcp:read" | "mcp:execute" | "tools:write" | "credentials:write" | "audit:read");

export type ApiKey = {
  id: string;
  name: string;
  scopes: Scope[];
  prefix: string;
  /** Format: date-time */
  createdAt: string;
  expiresAt: (string | null);
  lastUsedAt: (string | null);
  /** The key's owner. Only in lists of all keys of a workspace. */
  userId?: string;
};

export type CreateApiKeyInput = {
  name: string;
  scopes: ScopeInput[];
  expiresAt?: (string | null);
};

/** A permission of an API key. */
export type ScopeInput = ("mcp:read" | "mcp:execute" | "tools:write" | "credentials:write" | "audit:read");

export type CreatedApiKey = {
  id: string;
  name: string;
  scopes: Scope[];
  prefix: string;
  /** Format: date-time */
  createdAt: string;
  expiresAt: (string | null);
  key: string;
};

export type AuditEvent = {
  id: string;
  /** Format: date-time */
  at: string;
  workspaceId: string;
  actor: {
    userId: (string | null);
    apiKeyId?: string;
    sessionId?: string;
    grantId?: string;
  };
  via: ("rest" | "mcp" | "bot" | "console" | "schedule" | "system");
  action: string;
  target: string;
  outcome: string;
  requestId: (string | null);
  ip: (string | null);
  details: Record<string, unknown>;
  /** The title of the tool today, in lists of events about a tool that you can see. It is not part of the hash. */
  toolTitle?: string;
  sequence: (number | null);
  hash: (string | null);
  /** Whether the event concerns another user's draft or private tool. Its target and details are then omitted. */
  hidden?: boolean;
};

/** Whether the audit log is unaltered. */
export type AuditVerification = {
  /** Whether all checked events are unaltered. */
  intact: boolean;
  /** Whether the check reached the end of the chain. If not, continue with `after`. */
  complete: boolean;
  /** The `after` parameter of the next request. Null at the end of the chain. */
  next: (number | null);
  /** Events in the chain, excluding those deleted by retention. */
  sealed: number;
  /** Recent events that are not in the chain yet. */
  unsealed: number;
  /** Sealed events that this request checked. */
  checked: number;
  /** Events deleted from the start of the chain by retention. */
  trimmed: number;
  /** Time of the oldest event. */
  firstAt: (string | null);
  /** Time of the newest event. */
  lastAt: (string | null);
  problems: {
      /** Sequence number of the first invalid link. */
      sequence: number;
      eventId: (string | null);
      message: string;
    }[];
};

export type Session = {
  id: string;
  isCurrent: boolean;
  ip: (string | null);
  userAgent: (string | null);
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  lastUsedAt: string;
  /** Format: date-time */
  expiresAt: string;
};

export type AccountExport = Record<string, unknown>;

export type DeleteAccountInput = {
  /** Required unless you signed in within the last ten minutes. */
  password?: string;
};

export type Workspace = {
  id: string;
  name: string;
  role: Role;
  memberCount: number;
  /** Format: date-time */
  createdAt: string;
};

/** What a member may do in a workspace. */
export type Role = ("owner" | "admin" | "builder" | "member" | "viewer");

export type CreateWorkspaceInput = {
  name: string;
};

export type DeleteWorkspaceInput = {
  /** The current name of the workspace. */
  name: string;
};

export type TransferWorkspaceInput = {
  /** The member who becomes an owner. */
  userId: string;
};

export type Member = {
  userId: string;
  name: string;
  email: string;
  role: Role;
  /** Format: date-time */
  joinedAt: string;
};

export type UpdateMemberInput = {
  role: RoleInput;
};

/** What a member may do in a workspace. */
export type RoleInput = ("owner" | "admin" | "builder" | "member" | "viewer");

export type Invitation = {
  id: string;
  email: string;
  role: Role;
  invitedBy: string;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  expiresAt: string;
};

export type CreateInvitationInput = {
  /** Format: email */
  email: string;
  role: RoleInput;
};

export type CreatedInvitation = {
  id: string;
  email: string;
  role: Role;
  invitedBy: string;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  expiresAt: string;
  /** The invitation link, which is shown only once. Null if it was sent by email. */
  url: (string | null);
};

export type AcceptedInvitation = {
  workspaceId: string;
  name: string;
  role: Role;
};

export type WorkspaceSettings = {
  limits: {
    concurrentRuns: number;
    queuedRuns: number;
    runMs: number;
    cpuMs: number;
    memoryMb: number;
    outputBytes: number;
    logBytes: number;
    uploadBytes: number;
    bodyBytes: number;
    /** Null means no limit. */
    requestsPerMinute: (number | null);
    /** Null means no limit. */
    runsPerMinute: (number | null);
    /** Null means no limit. */
    userRequestsPerMinute: (number | null);
    /** Null means no limit. */
    userRunsPerMinute: (number | null);
    /** Null means no limit. */
    workspaceRequestsPerMinute: (number | null);
    /** Null means no limit. */
    workspaceRunsPerMinute: (number | null);
    /** Null means no limit. */
    userRunsPerDay: (number | null);
    /** Null means no limit. */
    workspaceRunsPerDay: (number | null);
    /** Drafts of one user in all workspaces. Null means no limit. */
    userDrafts: (number | null);
  };
  usage: {
    /** Runs since midnight UTC. Counts only up to 100000. */
    runsToday: number;
    runningRuns: number;
    queuedRuns: number;
    tools: number;
    members: number;
    files: number;
    fileBytes: number;
    /** Your drafts in all workspaces. */
    userDrafts: number;
  };
  retention: {
    runs: {
      /** The server's retention in days. Null means forever. */
      server: (number | null);
      /** The workspace's own retention in days, if set. */
      own: (number | null);
      /** The effective retention in days. Null means forever. */
      effective: (number | null);
    };
    logs: {
      /** The server's retention in days. Null means forever. */
      server: (number | null);
      /** The workspace's own retention in days, if set. */
      own: (number | null);
      /** The effective retention in days. Null means forever. */
      effective: (number | null);
    };
    files: {
      hours: number;
    };
    audit: {
      server: (number | null);
    };
    drafts: {
      server: (number | null);
    };
  };
  /** The length in characters above which agents get outputs shortened. */
  agentOutputCharacters: {
    server: number;
    /** The workspace's own length, if set. */
    own: (number | null);
    effective: number;
  };
  /** Whether updates of installed tools are accepted automatically if they request no additional access and do not change inputs, outputs or descriptions. */
  autoAcceptUpdates: boolean;
  /** Whether searches for tools are stored for 90 days to improve later searches of this workspace, and to list what was not found. Setting it to false deletes them. */
  learnFromSearches: boolean;
};

export type UpdateWorkspaceSettingsInput = {
  retention?: {
    /** Retention in days, below the server's. Null resets it to the server's. */
    runsDays?: (number | null);
    /** Retention in days, below the server's. Null resets it to the server's. */
    logsDays?: (number | null);
  };
  autoAcceptUpdates?: boolean;
  /** Longer outputs are shortened for agents. Null resets it to the server's. */
  agentOutputCharacters?: (number | null);
  learnFromSearches?: boolean;
};

export type ChatConnection = {
  id: string;
  platform: string;
  teamId: string;
  teamName: string;
  /** `broken`: the platform rejects the bot's token. Reconnect the chat. */
  state: ("active" | "broken");
  problem: (string | null);
  /** Whether chat users are linked to members with the same email address. */
  linkByEmail: boolean;
  /** The permissions that the app lacks because it was installed earlier. Features that need them are off: update the app, then connect the chat again. */
  missingScopes: string[];
  connectedBy: string;
  /** Format: date-time */
  connectedAt: string;
};

export type ChatPlatformState = {
  platform: string;
  label: string;
  /** Whether the server's operator has configured the platform. */
  isConfigured: boolean;
  /** Whether the platform provides its users' email addresses. If not, `linkByEmail` has no effect. */
  providesEmails: boolean;
  /**
   * Manifest for creating the platform's app.
   *
   * Format: uri
   */
  manifestUrl: string;
  /** Why the bot does not receive mentions now, for the server's operator. */
  problem: (string | null);
};

export type DeadLetter = {
  id: string;
  connectionId: string;
  platform: string;
  kind: ("message" | "answer" | "run_ended");
  /** The error message. */
  problem: string;
  /** Null for dead letters from before this field existed. */
  problemKind: (ChatProblemKind | null);
  attempts: number;
  /** Format: date-time */
  receivedAt: string;
  /** Format: date-time */
  failedAt: string;
};

/** Platform errors: `revoked` (the bot's token is no longer valid), `gone` (the channel or message no longer exists, or the bot cannot access it), `missing_right` (the app lacks a permission; reconnect the chat), `too_large` (a file), `rate_limited`, `no_answer` (no response), `refused` (any other error). Server errors: `not_set_up` (the operator's settings for the platform are missing or invalid), `service` (`problem` is an error code), `outage` (the database is unavailable), `internal` (see the server's log). */
export type ChatProblemKind = ("revoked" | "gone" | "missing_right" | "too_large" | "rate_limited" | "no_answer" | "refused" | "not_set_up" | "service" | "outage" | "internal");

export type ChatConnectUrl = {
  /** Format: uri */
  url: string;
};

export type UpdateChatConnectionInput = {
  linkByEmail: boolean;
};

export type ChatLink = {
  id: string;
  platform: string;
  teamName: string;
  workspaceId: string;
  chatUserId: string;
  /** Whether it was linked by email address (`email`) or by the user (`person`). */
  how: ("email" | "person");
  /** Format: date-time */
  linkedAt: string;
};

/** A URL that receives events of a workspace. */
export type Webhook = {
  id: string;
  url: string;
  description: string;
  events: WebhookEvent[];
  tools: (string[] | null);
  includeOutput: boolean;
  enabled: boolean;
  /** Why the service disabled it: `gone` (it responded with status 410) or `failing` (all attempts of three days failed). Null if a user disabled it. */
  disabledReason: (("gone" | "failing") | null);
  /** When the first of the latest failed attempts was. Null if the last one succeeded, or if the failed event is no longer reported. */
  failingSince: (string | null);
  /** Pending deliveries. Counts only up to 100. */
  pending: number;
  /** Dead letters. Counts only up to 100. */
  dead: number;
  createdBy: string;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
};

export type WebhookEvent = ("run.completed" | "run.failed" | "run.cancelled");

export type CreateWebhookInput = {
  /**
   * The HTTPS URL that receives the events.
   *
   * Format: uri
   */
  url: string;
  /** Default: `""`. */
  description?: string;
  /** The events that it receives. Default: `["run.completed","run.failed","run.cancelled"]`. */
  events?: WebhookEventInput[];
  /** The only tools whose runs are reported. Null for all tools. Default: `null`. */
  tools?: (string[] | null);
  /** Whether the payload contains the output of the run, if that has at most 16 KiB. Default: `false`. */
  includeOutput?: boolean;
};

export type WebhookEventInput = ("run.completed" | "run.failed" | "run.cancelled");

export type CreatedWebhook = {
  id: string;
  url: string;
  description: string;
  events: WebhookEvent[];
  tools: (string[] | null);
  includeOutput: boolean;
  enabled: boolean;
  /** Why the service disabled it: `gone` (it responded with status 410) or `failing` (all attempts of three days failed). Null if a user disabled it. */
  disabledReason: (("gone" | "failing") | null);
  /** When the first of the latest failed attempts was. Null if the last one succeeded, or if the failed event is no longer reported. */
  failingSince: (string | null);
  /** Pending deliveries. Counts only up to 100. */
  pending: number;
  /** Dead letters. Counts only up to 100. */
  dead: number;
  createdBy: string;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
  /** The secret that signs payloads, in the format of Standard Webhooks. Only shown here. */
  secret: string;
};

export type UpdateWebhookInput = {
  /**
   * The HTTPS URL that receives the events.
   *
   * Format: uri
   */
  url?: string;
  description?: string;
  /** The events that it receives. */
  events?: WebhookEventInput[];
  /** The only tools whose runs are reported. Null for all tools. */
  tools?: (string[] | null);
  /** Whether the payload contains the output of the run, if that has at most 16 KiB. */
  includeOutput?: boolean;
  enabled?: boolean;
};

export type RotatedWebhookSecret = {
  /** The secret that signs payloads, in the format of Standard Webhooks. Only shown here. */
  secret: string;
  /**
   * Until then, payloads are also signed with the previous secret.
   *
   * Format: date-time
   */
  previousValidUntil: string;
};

export type WebhookTestResult = {
  delivered: boolean;
  /** The HTTP status of the response. Null if there was none. */
  status: (number | null);
  /** Why the attempt failed. Null if it succeeded. */
  problem: (string | null);
  durationMs: number;
};

export type WebhookDelivery = {
  /** The `webhook-id` of all attempts. */
  eventId: string;
  type: ("run.completed" | "run.failed" | "run.cancelled" | "alert.firing" | "alert.resolved" | "alert.test");
  /** Null if the run was deleted, or is no longer visible to all members, and for events of alerts. */
  runId: (string | null);
  /** Null if the run was deleted, or is no longer visible to all members, and for events of alerts. */
  toolName: (string | null);
  state: ("pending" | "delivered" | "dead");
  attempts: number;
  /** The HTTP status of the response. Null if there was none. */
  status: (number | null);
  /** Why the attempt failed. Null if it succeeded. */
  problem: (string | null);
  /** Format: date-time */
  createdAt: string;
  attemptedAt: (string | null);
  /** Null unless it is pending. */
  nextAttemptAt: (string | null);
  finishedAt: (string | null);
};

/** A condition that is checked every minute. */
export type Alert = {
  id: string;
  name: string;
  toolName: (string | null);
  condition: AlertCondition;
  notify: AlertRecipients;
  quietHours: (QuietHours | null);
  enabled: boolean;
  state: ("ok" | "firing" | "resolved");
  /** Format: date-time */
  stateSince: string;
  /** What the last check found. */
  summary: (string | null);
  /** Why it cannot be checked. */
  problem: (string | null);
  checkedAt: (string | null);
  createdBy: string;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
};

/** When an alert fires. */
export type AlertCondition = (FailureRateCondition | NoSuccessCondition | CredentialCondition);

export type FailureRateCondition = {
  kind: "failure_rate";
  /** Fires if more than this share of the runs failed. */
  percent: number;
  /** Runs that were created within this time count once they have ended. */
  windowMinutes: number;
  /** With fewer completed and failed runs, it does not fire. */
  minRuns: number;
};

export type NoSuccessCondition = {
  kind: "no_success";
  /** Fires if no run that was created within this time has completed. */
  hours: number;
};

export type CredentialCondition = {
  kind: "credential";
  /** Fires if an API key of the workspace, or a shared connection that cannot be refreshed, expires within this time, or if a shared connection must be reconnected or fails to refresh. */
  days: number;
};

/** Who is notified. */
export type AlertRecipients = {
  /** Members who get an email. */
  userIds: string[];
  /** Webhooks that get an event, whatever events they select. */
  webhookIds: string[];
  chats: {
      connectionId: string;
      /** The platform's ID of a channel that the bot can post in. */
      channel: string;
    }[];
};

/** Notifications during these hours are sent when they end. */
export type QuietHours = {
  /** A name of the IANA time zone database. */
  timeZone: string;
  start: string;
  end: string;
};

export type CreateAlertInput = {
  name: string;
  /** The only tool whose runs count. Null for all tools. Default: `null`. */
  toolName?: (string | null);
  condition: AlertConditionInput;
  notify: AlertRecipientsInput;
  /** Default: `null`. */
  quietHours?: (QuietHoursInput | null);
};

/** When an alert fires. */
export type AlertConditionInput = (FailureRateConditionInput | NoSuccessConditionInput | CredentialConditionInput);

export type FailureRateConditionInput = {
  kind: "failure_rate";
  /** Fires if more than this share of the runs failed. */
  percent: number;
  /** Runs that were created within this time count once they have ended. */
  windowMinutes: number;
  /** With fewer completed and failed runs, it does not fire. */
  minRuns: number;
};

export type NoSuccessConditionInput = {
  kind: "no_success";
  /** Fires if no run that was created within this time has completed. */
  hours: number;
};

export type CredentialConditionInput = {
  kind: "credential";
  /** Fires if an API key of the workspace, or a shared connection that cannot be refreshed, expires within this time, or if a shared connection must be reconnected or fails to refresh. */
  days: number;
};

/** Who is notified. */
export type AlertRecipientsInput = {
  /** Members who get an email. Default: `[]`. */
  userIds?: string[];
  /** Webhooks that get an event, whatever events they select. Default: `[]`. */
  webhookIds?: string[];
  /** Default: `[]`. */
  chats?: {
      connectionId: string;
      /** The platform's ID of a channel that the bot can post in. */
      channel: string;
    }[];
};

/** Notifications during these hours are sent when they end. */
export type QuietHoursInput = {
  /** A name of the IANA time zone database. */
  timeZone: string;
  start: string;
  end: string;
};

export type UpdateAlertInput = {
  name?: string;
  /** The only tool whose runs count. Null for all tools. */
  toolName?: (string | null);
  condition?: AlertConditionInput;
  notify?: AlertRecipientsInput;
  quietHours?: (QuietHoursInput | null);
  enabled?: boolean;
};

/** A notification of an alert. */
export type AlertEvent = {
  id: string;
  type: ("firing" | "resolved" | "test");
  summary: string;
  /** Format: date-time */
  createdAt: string;
  deliveries: {
      channel: ("email" | "chat" | "webhook");
      /** The ID of the user, channel or webhook. */
      target: string;
      state: ("pending" | "delivered" | "dead");
      attempts: number;
      /** Why the last attempt failed. */
      problem: (string | null);
      /** When a pending delivery is attempted: before the first attempt, the end of the quiet hours, if it waits for it. */
      dueAt: (string | null);
      finishedAt: (string | null);
    }[];
};

export type ConnectedApp = {
  id: string;
  clientName: string;
  clientId: string;
  clientUri: (string | null);
  workspaceId: string;
  scopes: Scope[];
  /** Format: date-time */
  createdAt: string;
  lastUsedAt: (string | null);
  user?: {
    id: string;
    name: string;
    email: string;
  };
};

/** How to connect agents to this server. */
export type InstallInfo = {
  /** Format: uri */
  mcpUrl: string;
  /** Format: uri */
  apiKeyUrl: string;
  apiKeyPlaceholder: string;
  clients: InstallClient[];
};

export type InstallClient = {
  id: string;
  name: string;
  category: ("chat_app" | "editor" | "command_line" | "configuration_file");
  signIn: ("browser" | "api_key");
  steps: string[];
  snippet: ({
    language: ("sh" | "json");
    text: string;
    file: (string | null);
  } | null);
  link: (string | null);
};

/** The body of a request to a webhook. */
export type WebhookPayload = (RunWebhookPayload | TestWebhookPayload | AlertWebhookPayload);

/** Reports the end of a run. */
export type RunWebhookPayload = {
  type: WebhookEvent;
  /**
   * When the run ended.
   *
   * Format: date-time
   */
  timestamp: string;
  data: {
    runId: string;
    parentRunId: (string | null);
    toolName: string;
    toolVersion: number;
    status: ("completed" | "failed" | "cancelled");
    errorCode: (("tool_error" | "invalid_output" | "timeout" | "cpu_limit" | "memory_limit" | "output_too_large" | "egress_denied" | "interrupted" | "sandbox_lost") | null);
    /** Format: date-time */
    createdAt: string;
    startedAt: (string | null);
    finishedAt: (string | null);
    durationMs: (number | null);
    via: ("rest" | "mcp" | "bot" | "console" | "schedule");
    runUrl: string;
    /** Only if the webhook includes outputs. Null if the run has none. */
    output?: (Record<string, unknown> | null);
    /** The webhook includes outputs, but this one has more than 16 KiB. */
    outputOmitted?: true;
  };
};

/** A test event, which a user has sent. */
export type TestWebhookPayload = {
  type: "webhook.test";
  /** Format: date-time */
  timestamp: string;
  data: {
    webhookId: string;
  };
};

/** Reports that an alert fires or is resolved. */
export type AlertWebhookPayload = {
  type: ("alert.firing" | "alert.resolved" | "alert.test");
  /**
   * When the alert fired or was resolved.
   *
   * Format: date-time
   */
  timestamp: string;
  data: {
    alertId: string;
    name: string;
    toolName: (string | null);
    condition: ("failure_rate" | "no_success" | "credential");
    summary: string;
    alertUrl: string;
  };
};
