/** A document or server that tools are imported from. */
export type ImportTable = {
  id: string;
  workspace_id: string;
  /** The user who created it, with whose credentials it is checked. */
  user_id: string;
  /** `openapi` or `mcp`. */
  kind: string;
  /** The title that the document or server states, or where it is from. */
  title: string;
  /** The title that a user chose instead. */
  custom_title: string | null;
  description: string;
  version: string;
  format: string;
  /** Null if the document was uploaded. */
  url: string | null;
  /** The transport of an MCP server: `http` or `sse`. */
  transport: string | null;
  /** The name of the credential that is sent to an MCP server. */
  credential: string | null;
  /** JSON of what applies to all items: servers and security schemes. */
  common: string;
  /** JSON array of the items, as of the last successful check. */
  items: string;
  item_count: number;
  /** The hashes of the items by key, so that finding one does not parse all items; null until the items change. */
  item_hashes: string | null;
  /** The document, compressed with gzip; null for an MCP server. */
  document: Buffer | null;
  /** SHA-256 of the document or listing. */
  hash: string;
  /** Why the last check failed; null if it succeeded. */
  problem: string | null;
  /** Consecutive failed checks. */
  failures: number;
  created_at: number;
  checked_at: number;
  /** The time of the next check; null if there is none. During a check, the end of its lease. */
  next_check_at: number | null;
  /** Incremented by each change, so that concurrent ones do not overwrite each other. */
  revision: number;
};

/** Where a tool came from. */
export type ToolImportTable = {
  tool_id: string;
  workspace_id: string;
  import_id: string;
  item_key: string;
  /** The hash of the item at the last check; empty if it was removed. */
  latest_hash: string;
  /** JSON of what the request that created the tool chose. */
  options: string;
  /** The hash of the definition that the import made, to detect that the tool was edited. */
  definition_hash: string;
  /** JSON of that definition, to merge edits with changes; null for tools that were created before it was stored. */
  generated: string | null;
};

/** A connection to an MCP server on a user's machine. */
export type BridgeTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  /** Unique for the user and workspace. */
  name: string;
  /** When its process last asked for calls. */
  seen_at: number;
};
