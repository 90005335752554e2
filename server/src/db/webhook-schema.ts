/** An address of a workspace that is notified when runs end. */
export type WebhookTable = {
  id: string;
  workspace_id: string;
  url: string;
  description: string;
  /** JSON array of event types. */
  events: string;
  /** JSON array of the only tools whose runs are reported; null for all. */
  tools: string | null;
  /** 1 if the payload contains the output of the run. */
  include_output: number;
  enabled: number;
  /** Why the service disabled it: `gone` or `failing`; null if a user did. */
  disabled_reason: string | null;
  /** JSON of the secrets that sign, encrypted like credentials. */
  sealed_value: string;
  wrapped_key: string;
  key_id: string;
  /** Consecutive failed attempts of all deliveries, and the time of the first. */
  failures: number;
  failing_since: number | null;
  /** No attempt starts before this time. */
  paused_until: number;
  created_by: string;
  created_at: number;
  updated_at: number;
};

/** The delivery of an event to a webhook. */
export type WebhookDeliveryTable = {
  webhook_id: string;
  /** The ID of the audit event of the run's end, or of the alert's event: the ID of the message in all attempts. */
  event_id: string;
  /** Empty for an event that is not the end of a run. */
  run_id: string;
  tool_name: string;
  /** `run.completed`, `run.failed`, `run.cancelled`, or one of an alert. */
  type: string;
  /** `pending`, `delivered` or `dead` (a dead letter). */
  state: string;
  /** Incremented by each attempt; identifies the attempt that may write the outcome. */
  attempt: number;
  /** The attempts that do not count: those before a requeue, and those that a shutdown interrupted. */
  uncounted_attempts: number;
  /** The time of the next attempt. During an attempt, the end of its lease. */
  due_at: number;
  attempted_at: number | null;
  /** The HTTP status of the last response; null if there was none. */
  status: number | null;
  /** Why the last attempt failed. */
  problem: string | null;
  created_at: number;
  finished_at: number | null;
  /** When the row is deleted. */
  expires_at: number;
  /** The JSON of an event that is not the end of a run. */
  payload: string | null;
};
