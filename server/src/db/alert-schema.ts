/** A condition of a workspace that is checked regularly, and who is notified. */
export type AlertTable = {
  id: string;
  workspace_id: string;
  name: string;
  /** The only tool whose runs count; null for all. */
  tool_name: string | null;
  /** JSON of the condition, as in the contract. */
  condition: string;
  /** JSON of the recipients. */
  notify: string;
  /** JSON of the hours without notifications; null for none. */
  quiet_hours: string | null;
  enabled: number;
  /** `ok`, `firing` or `resolved`. */
  state: string;
  state_since: number;
  /** JSON array of the IDs that it fires for, so that further ones are reported. */
  subjects: string;
  /** What the last check found. */
  summary: string | null;
  /** Why it cannot be checked. */
  problem: string | null;
  checked_at: number | null;
  /** Null while it is disabled. */
  next_check_at: number | null;
  /** Incremented with each change, so that a check changes only what it has read. */
  revision: number;
  created_by: string;
  created_at: number;
  updated_at: number;
};

/** A notification of an alert. */
export type AlertEventTable = {
  id: string;
  workspace_id: string;
  alert_id: string;
  /** `firing`, `resolved` or `test`. */
  type: string;
  /** The alert's name at the time. */
  name: string;
  summary: string;
  created_at: number;
};

/** The delivery of a notification by email or to a chat. Those to webhooks are webhook deliveries. */
export type AlertDeliveryTable = {
  id: string;
  workspace_id: string;
  event_id: string;
  /** `email` or `chat`. */
  channel: string;
  /** The ID of the user, or of the channel in the chat. */
  target: string;
  /** The chat connection; null for an email. */
  connection_id: string | null;
  /** `pending`, `delivered` or `dead`. */
  state: string;
  /** Incremented by each attempt; identifies the attempt that may write the outcome. */
  attempt: number;
  /** The time of the next attempt. During an attempt, the end of its lease. */
  due_at: number;
  problem: string | null;
  finished_at: number | null;
};
