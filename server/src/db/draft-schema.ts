/** The unpublished version of a tool, visible to its author only. */
export type DraftTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  /** The tool that it changes; null for a new one. */
  tool_id: string | null;
  /** The version that it is based on. */
  base_version: number | null;
  title: string;
  /** Any JSON object. */
  definition: string;
  revision: number;
  created_at: number;
  updated_at: number;
  /** When it was last saved or run. */
  used_at: number;
  /**
   * 0 if a key without `credentials:write` saved it, or it was copied from a tool that others wrote, and its author has
   * not approved it since.
   */
  saved_with_right: number;
  /** JSON of what its author approved explicitly. */
  approved_needs: string | null;
  /** JSON of the item of an import that publishing the draft links the tool to. */
  import_link: string | null;
  /** JSON of the definition that the import made of that item. */
  generated: string | null;
  /** JSON of the latest results of running its examples, newest first. */
  example_results: string | null;
};

/** A build of a draft. Immutable except for approvals and the time of its last use. */
export type DraftVersionTable = {
  draft_id: string;
  version: number;
  workspace_id: string;
  user_id: string;
  /** The tool whose approvals also apply to the draft. */
  tool_id: string | null;
  /** SHA-256 of definition and source. */
  digest: string;
  definition: string;
  source: string;
  bundle: string;
  bundle_hash: string;
  source_map: string;
  /** 1 if its content was last saved with `credentials:write`; otherwise even its tool's approvals do not apply to it. */
  saved_with_right: number;
  /** 1 if its author allows it to use the author's own credentials that it declares. */
  own_approved: number;
  /** 1 if its author, as an admin, allows it to use the workspace's credentials that it declares. */
  shared_approved: number;
  used_at: number;
};
