/** The records of the authorization server: clients, interactions, codes, tokens and grants. */
export type OAuthRecordTable = {
  /** The library's name for its kind, such as `AccessToken`. */
  model: string;
  /** The library's ID, or its SHA-256 if the ID is a secret. */
  id: string;
  payload: string;
  /** The grant whose end deletes this record. */
  grant_id: string | null;
  /** Where a code or token can be used: `rest`, or the MCP endpoint for `mcp` and null. */
  resource: string | null;
  created_at: number;
  consumed_at: number | null;
  expires_at: number | null;
};

/** The authorization of one user, client and workspace. */
export type OAuthGrantTable = {
  id: string;
  user_id: string;
  workspace_id: string;
  client_id: string;
  client_name: string;
  client_uri: string | null;
  /** Those for the MCP endpoint, separated by spaces. Empty without a consent for it. */
  scopes: string;
  /** Those for the REST API, separated by spaces. Null without a consent for it. */
  rest_scopes: string | null;
  created_at: number;
  last_used_at: number | null;
};
