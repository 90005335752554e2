/**
 * A secret, encrypted under a separate key that is wrapped by the service's key: a value that a user entered, or
 * the tokens of an OAuth 2 connection as JSON.
 */
export type CredentialTable = {
  id: string;
  workspace_id: string;
  /** Empty for one that the whole workspace shares. */
  owner_user_id: string;
  name: string;
  /** JSON array: the only hosts that it is sent to. */
  hosts: string;
  sealed_value: string;
  wrapped_key: string;
  key_id: string;
  created_by: string;
  created_at: number;
  last_used_at: number | null;
  /** `value`, or `oauth2`; all below is of the latter. */
  kind: string;
  /** `ready`, `awaiting_consent` or `needs_reconnect`. */
  status: string;
  /** Why it has to be connected again. */
  problem: string | null;
  /** JSON of the provider, the client and the scopes; nothing secret. */
  connection: string | null;
  /** When the current token expires; null if the provider does not report it. */
  expires_at: number | null;
  /** The time from which a new token is requested. */
  refresh_at: number | null;
  /** Counts the tokens that were stored, so that a writer replaces only the tokens that it has read. */
  revision: number;
  /** The process that requests a new token; no other does so before `refresh_until`. */
  refresh_claim: string | null;
  refresh_until: number | null;
  /** The number of consecutive failed requests to the provider. */
  refresh_failures: number;
  /** 1 when its owner allows code of tools of this workspace to see the value. */
  exposable: number;
};

/** A person's way to the provider and back, to agree to a connection. */
export type ConnectionAttemptTable = {
  /** SHA-256 of the secret in the URL that starts the attempt. */
  ticket_hash: string;
  workspace_id: string;
  credential_id: string;
  user_id: string;
  /** SHA-256 of the `state` that the provider gives back; null before the browser was sent there. */
  state_hash: string | null;
  /** SHA-256 of the secret that the browser stores as a cookie. */
  browser_hash: string | null;
  expires_at: number;
  /** JSON of the tool's version that connecting approves as well: `{ tool, version }`; null for none. */
  approves: string | null;
};

/** What a person, or the workspace, lets a tool have of their credentials. */
export type ToolApprovalTable = {
  workspace_id: string;
  tool_id: string;
  /** Empty for the workspace's credentials. */
  owner_user_id: string;
  /** JSON of the approved permissions; empty once the approval was withdrawn. */
  needs: string;
  /** The version that was approved. */
  version: number;
  by_user_id: string;
  at: number;
  /** `save`, `request`, `upgrade`, or `withdrawn`. */
  how: string;
};
