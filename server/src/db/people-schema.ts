import type { Generated } from "kysely";

export type PersonTable = { id: string; email: string; name: string };

export type WorkspaceTable = {
  id: string;
  name: string;
  slug: string;
  created_at: number;
  /** Incremented with each change of its tools, so that search indexes detect changes. */
  tools_revision: number;
  /** Incremented with each change of its installed tools, for the same purpose. */
  installs_revision: Generated<number>;
  /** 1 if updates of installed tools that need no review are accepted automatically. */
  auto_accept_updates: Generated<number>;
  /** 1 if searches are stored to improve later ones. */
  learn_from_searches: Generated<number>;
  /** Days for which its runs are retained; null for the server's default. */
  run_retention_days: number | null;
  /** The same for their logs. */
  log_retention_days: number | null;
  /** The length above which outputs are shortened for agents; null for the server's. */
  agent_output_characters: number | null;
  /** Set when the workspace is deleted: it then has no members, and the sweep deletes its data. */
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

/** Deleted when it is accepted, revoked or long expired. */
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
  /** The user who accepted the version; null for an automatic update. */
  accepted_by: string | null;
  accepted_at: number;
  /** The live version that automatic acceptance left for a review. */
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
