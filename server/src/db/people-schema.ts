import type { Generated } from "kysely";

export type PersonTable = { id: string; email: string; name: string };

export type WorkspaceTable = {
  id: string;
  name: string;
  slug: string;
  created_at: number;
  /** Counts the changes of its tools, so that an index knows whether it is behind. */
  tools_revision: number;
  /** Counts the changes of what it has installed, for the same reason. */
  installs_revision: Generated<number>;
  /** 1 if updates of installed tools that need no new permissions are accepted automatically. */
  auto_accept_updates: Generated<number>;
  /** Days for which its runs are retained; null for the server's default. */
  run_retention_days: number | null;
  /** The same for their logs. */
  log_retention_days: number | null;
  /** From then on it has no members; the sweep deletes its contents. */
  deleted_at: number | null;
};

/** A table of the sign-in library, with times of the types that it requires. */
export type SessionTable = {
  id: string;
  user_id: string;
  /** SHA-256 of the token in the browser's cookie. */
  token: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Date | string;
  updated_at: Date | string;
  expires_at: Date | string;
};

/** The sign-in library's email links and similar one-time tokens, with only the hashes of their secrets. */
export type VerificationTable = {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date | string;
  created_at: Date | string;
  updated_at: Date | string;
};

/** Leaves when it is accepted, withdrawn or long expired. */
export type InvitationTable = {
  id: string;
  workspace_id: string;
  email: string;
  role: string;
  token_hash: string;
  invited_by: string;
  created_at: number;
  expires_at: number;
};

/** A public tool of another workspace that a workspace uses, at the version that was accepted there. */
export type ToolInstallTable = {
  workspace_id: string;
  tool_id: string;
  version: number;
  installed_by: string;
  created_at: number;
  /** Who accepted the version; null when the workspace's setting did. */
  accepted_by: string | null;
  accepted_at: number;
  /** The live version that was not accepted automatically, because it needs more permissions than the accepted one. */
  considered_version: number | null;
};

export type MemberTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  role: string;
  created_at: number;
};

export type ApiKeyTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  name: string;
  prefix: string;
  key_hash: string;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
};
