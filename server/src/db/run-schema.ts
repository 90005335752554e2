export type RunTable = {
  id: string;
  workspace_id: string;
  tool_id: string;
  tool_name: string;
  tool_version: number;
  user_id: string;
  status: string;
  queued: number;
  via: string;
  actor: string;
  request_id: string | null;
  ip: string | null;
  input: string;
  output: string | null;
  error: string | null;
  progress: string | null;
  /** Empty while the run is queued. */
  node_id: string;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  duration_ms: number | null;
  cpu_ms: number | null;
  logs_truncated: number;
  /** 1 once cancellation of the run was requested, on any node. */
  cancel_requested: number;
  /**
   * The record that stores the run's response; null if the request had no Idempotency-Key, or if the run was written with its end
   * and no one looks for it by its key.
   */
  idempotency_id: string | null;
  /** Incremented by each claim; more than 1 only for idempotent tools. */
  attempt: number;
  /** JSON of its network requests by host; null if it made none. */
  egress: string | null;
  /** The run whose tool started this one; null if a caller did. */
  parent_run_id: string | null;
  /** JSON of the credentials that the run had, and the hosts that each was sent to; null if it had none. */
  credentials: string | null;
  /** The whole input, encrypted, if `input` is shortened or redacted; null once the run has ended. */
  sealed_input: string | null;
  /** The draft that it ran, as in `tool_id`; null for runs of tools. */
  draft_id: string | null;
  /** 1 if it is visible only to the user who started it, even if its tool is shared later. */
  is_private: number;
  /** `traceparent`, and after a space `tracestate` if there is one; null if it was not traced. */
  trace_context: string | null;
  /** The batch that it was created with; null for all other runs. */
  batch_id: string | null;
  /** JSON of the question that its tool asks; null if it asks none. */
  question: string | null;
  /** The answer to it, encrypted, until the node that executes the run has read it. */
  sealed_answer: string | null;
  /** `good` or `bad`, as the user who started it rated its result; null if they did not. */
  feedback: string | null;
};

/** Runs of one tool that were created together. */
export type RunBatchTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  tool_name: string;
  total: number;
  is_cancelled: number;
  created_at: number;
};

/** A run's log: JSON lines, deflated. */
export type RunLogTable = { run_id: string; chunk: number; line_count: number; body: Buffer };
