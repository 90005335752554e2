/**
 * A secret, encrypted under a separate key that is wrapped by the service's key: a value that a user entered, or
 * the tokens of an OAuth 2 connection as JSON.
 */
export type CredentialTable = {
  id: string;
  workspace_id: string;
  /** Empty for a credential of the whole workspace. */
  owner_user_id: string;
  name: string;
  /** JSON array of the only hosts that it may be sent to. */
  hosts: string;
  sealed_value: string;
  wrapped_key: string;
  key_id: string;
  created_by: string;
  created_at: number;
  last_used_at: number | null;
  /** `value` or `oauth2`. The columns from `status` to `refresh_failures` concern only the latter. */
  kind: string;
  /** `ready`, `awaiting_consent` or `needs_reconnect`. */
  status: string;
  /** Why a user has to reconnect it. */
  problem: string | null;
  /** JSON of the provider, the client and the scopes, without secrets. */
  connection: string | null;
  /** When the current token expires; null if the provider does not report it. */
  expires_at: number | null;
  /** The time from which a new token is requested. */
  refresh_at: number | null;
  /** Incremented when tokens are stored, so that a writer replaces only the tokens that it has read. */
  revision: number;
  /** The process that requests a new token. No other process does so before `refresh_until`. */
  refresh_claim: string | null;
  refresh_until: number | null;
  /** The number of consecutive failed requests to the provider. */
  refresh_failures: number;
  /** 1 if its owner allows tools of this workspace to read the value. */
  exposable: number;
};

/** An OAuth attempt to authorize a connection. */
export type ConnectionAttemptTable = {
  /** SHA-256 of the secret in the URL that starts the attempt. */
  ticket_hash: string;
  workspace_id: string;
  credential_id: string;
  user_id: string;
  /** SHA-256 of the `state` of the redirect to the provider; null before the redirect. */
  state_hash: string | null;
  /** SHA-256 of the secret that the browser stores as a cookie. */
  browser_hash: string | null;
  expires_at: number;
  /** JSON of the version that connecting also approves: `{ tool, version }`; null for none. */
  approves: string | null;
};

/** The access to credentials and hosts that a user, or the workspace, approved for a tool. */
export type ToolApprovalTable = {
  workspace_id: string;
  tool_id: string;
  /** Empty if the approval is for the workspace's credentials. */
  owner_user_id: string;
  /** JSON of the approved `ApprovalNeeds`, with empty lists once the approval was withdrawn. */
  needs: string;
  /** The version that was approved. */
  version: number;
  by_user_id: string;
  at: number;
  /** `save`, `request`, `upgrade`, or `withdrawn`. */
  how: string;
};

/** A tool that a user no longer confirms in chats, until it changes. */
export type AlwaysAllowedToolTable = {
  workspace_id: string;
  user_id: string;
  tool_id: string;
  /** The version that the user confirmed. */
  version: number;
  /** The hash of its code. */
  code_hash: string;
  /** JSON of its `ApprovalNeeds`. */
  needs: string;
  at: number;
};
