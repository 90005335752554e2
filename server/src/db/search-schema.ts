/** A search in a workspace that learns from searches. The ID has the time of the search. */
export type ToolSearchTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  /** The stems of its words, sorted: searches with the same ones count as the same. */
  terms: string;
  /** Its words as typed, without those that may be secret. */
  words: string;
  /** JSON of the IDs of the tools that it found. */
  found: string;
  /** `run` if the user ran one of them soon afterwards, `other` if they ran another tool. */
  outcome: "pending" | "run" | "other" | "not_run" | "no_match";
  /** The tool that was run. */
  tool_id: string | null;
};
