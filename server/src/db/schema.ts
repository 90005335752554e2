import type { AlertDeliveryTable, AlertEventTable, AlertTable } from "./alert-schema.ts";
import type {
  AuditEventTable,
  AuditHeadTable,
  AuditSegmentTable,
  UnsealedRunEventTable,
} from "./audit-schema.ts";
import type { ChatSchema } from "./chat-schema.ts";
import type {
  ConnectionAttemptTable,
  CredentialTable,
  AlwaysAllowedToolTable,
  ToolApprovalTable,
} from "./credential-schema.ts";
import type { DraftTable, DraftVersionTable } from "./draft-schema.ts";
import type { BridgeTable, ImportTable, ToolImportTable } from "./import-schema.ts";
import type { OAuthGrantTable, OAuthRecordTable } from "./oauth-schema.ts";
import type {
  ApiKeyTable,
  InvitationTable,
  MemberTable,
  PersonTable,
  SessionTable,
  ToolInstallTable,
  VerificationTable,
  WorkspaceTable,
} from "./people-schema.ts";
import type { ToolSearchTable } from "./search-schema.ts";
import type {
  RunStatsHourTable,
  RunStatsTable,
  RunUsageDayTable,
  RunUsageTable,
} from "./stats-schema.ts";
import type { WebhookDeliveryTable, WebhookTable } from "./webhook-schema.ts";
import type { RunBatchTable, RunLogTable, RunTable } from "./run-schema.ts";

/**
 * All tables. IDs are UUIDv7 text, times are Unix milliseconds, JSON is text that no query parses, and booleans are 0
 * or 1, so that one schema serves both databases. The tables of the sign-in library use the types that it requires.
 */
export type Schema = ChatSchema & {
  users: PersonTable;
  settings: { name: string; value: string };
  workspaces: WorkspaceTable;
  members: MemberTable;
  sessions: SessionTable;
  verifications: VerificationTable;
  invitations: InvitationTable;
  tool_installs: ToolInstallTable;
  api_keys: ApiKeyTable;
  tools: ToolTable;
  drafts: DraftTable;
  draft_versions: DraftVersionTable;
  tool_versions: ToolVersionTable;
  bridges: BridgeTable;
  imports: ImportTable;
  tool_imports: ToolImportTable;
  tool_embeddings: ToolEmbeddingTable;
  runs: RunTable;
  run_batches: RunBatchTable;
  run_logs: RunLogTable;
  run_stats: RunStatsTable;
  run_stats_hours: RunStatsHourTable;
  run_usage: RunUsageTable;
  run_usage_days: RunUsageDayTable;
  /** The sum over a workspace's rows is the bytes of its runs that have ended. */
  run_bytes: { workspace_id: string; shard: number; bytes: number };
  audit_events: AuditEventTable;
  audit_heads: AuditHeadTable;
  audit_segments: AuditSegmentTable;
  unsealed_run_events: UnsealedRunEventTable;
  task_locks: { name: string; holder: string; expires_at: number };
  /** `key_ids` lists the encryption keys that the node has, separated by spaces. */
  nodes: { id: string; seen_at: number; key_ids: string };
  idempotency_records: IdempotencyRecordTable;
  credentials: CredentialTable;
  connection_attempts: ConnectionAttemptTable;
  tool_approvals: ToolApprovalTable;
  always_allowed_tools: AlwaysAllowedToolTable;
  files: FileTable;
  oauth_records: OAuthRecordTable;
  oauth_grants: OAuthGrantTable;
  relayed_messages: RelayedMessageTable;
  rate_limits: { key: string; points: number; expire: number | null };
  /** Like `rate_limits`, for windows of a day. */
  quota_uses: { key: string; points: number; expire: number };
  tool_searches: ToolSearchTable;
  tool_tags: { workspace_id: string; tool_id: string; tag: string };
  /** JSON of what a user has set for themselves. */
  user_preferences: { workspace_id: string; user_id: string; preferences: string };
  credential_requests: CredentialRequestTable;
  webhooks: WebhookTable;
  webhook_deliveries: WebhookDeliveryTable;
  alerts: AlertTable;
  alert_events: AlertEventTable;
  alert_deliveries: AlertDeliveryTable;
};

/** A user waits for an admin to add or approve the workspace credentials of a tool. */
export type CredentialRequestTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  tool_id: string;
  created_at: number;
};

/** A message for a listener at an address on another node. */
export type RelayedMessageTable = {
  id: string;
  address: string;
  body: string;
  created_at: number;
};

export type ToolTable = {
  id: string;
  workspace_id: string;
  owner_user_id: string;
  name: string;
  visibility: string;
  live_version: number;
  revision: number;
  created_at: number;
  updated_at: number;
  archived_at: number | null;
  /** The user who archived it; null also for tools that were archived before this was recorded. */
  archived_by: string | null;
  /** The draft that it was first published from. */
  draft_id: string | null;
  /**
   * The only `item_hash` of a version that may run: the latest known definition of the MCP server's tool, empty if that was
   * removed, `unchecked` if it is unknown. Null if all versions may run.
   */
  pinned_hash: string | null;
  /** JSON of the commit and folder in Git with the content of a version, and that version. */
  published_from: string | null;
};

/** One immutable save. `definition` is JSON of the author's fields, `bundle` the code that the sandbox runs. */
export type ToolVersionTable = {
  id: string;
  tool_id: string;
  workspace_id: string;
  version: number;
  title: string;
  description: string;
  definition: string;
  /** JSON of language, code and dependencies. A separate column, so that lists do not read it. */
  source: string;
  bundle: string;
  bundle_hash: string;
  source_map: string;
  created_by: string;
  created_at: number;
  restored_from: number | null;
  /** 1 if its author wrote all of it and saved it with `credentials:write`. */
  vouched: number;
  /** The hash of the item of an import that it was made from, also after edits; null if it was not imported. */
  item_hash: string | null;
  /** Bytes of its text columns, which count towards the workspace's limit. */
  size: number;
  /** JSON of the results of running its examples before it was published, newest first; null if they were not run. */
  example_results: string | null;
};

/** What the text of a workspace's tool means to a model: one byte for each dimension. */
export type ToolEmbeddingTable = {
  workspace_id: string;
  model: string;
  /** Of the text, so that a text that did not change is not embedded again. */
  hash: string;
  vector: Buffer;
  created_at: number;
};

/** The record of an Idempotency-Key: its first request, and the response once it exists. */
export type IdempotencyRecordTable = {
  /** Namespace and key, as in `key:<API key ID>/<Idempotency-Key>`. */
  id: string;
  workspace_id: string;
  /** Keyed digest of method, path and body. */
  fingerprint: string;
  /** The node that runs the handler. Empty for a run that had ended when it was written. */
  node_id: string;
  /** Unique per handler, so that a handler whose claim was taken over cannot save a response. */
  claim: string;
  /** The run that the request started, if any. */
  run_id: string | null;
  /** By the database's clock. */
  created_at: number;
  /** Null while the handler runs. */
  status: number | null;
  headers: string;
  body: string | null;
  is_encrypted: number;
};

/** A file of a workspace. Its bytes are in the file storage. */
export type FileTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  /** The run whose tool saved it; null if it was uploaded. */
  run_id: string | null;
  /** JSON of the actor that requested it. */
  actor: string;
  name: string;
  mime_type: string;
  /** The type that its first bytes show, if that is an image that browsers display safely. */
  image_type: string | null;
  size: number;
  sha256: string | null;
  /** `awaiting_upload`, `storing` while its bytes go into the storage, or `ready`. */
  status: string;
  /** SHA-256 of the secret in the upload URL. */
  token_hash: string | null;
  created_at: number;
  expires_at: number;
  /** For an upload that runs used: `owner` if only private runs did, `workspace` once another run did. */
  audience: string | null;
};
