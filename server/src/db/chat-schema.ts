/** The tables of chat platforms. Secrets are encrypted, and messages are stored for a limited time only. */
export type ChatSchema = {
  chat_connections: ChatConnectionTable;
  chat_attempts: ChatAttemptTable;
  chat_links: ChatLinkTable;
  chat_link_tokens: ChatLinkTokenTable;
  chat_inbox: ChatInboxTable;
  chat_threads: ChatThreadTable;
  chat_messages: ChatMessageTable;
  chat_questions: ChatQuestionTable;
  chat_deliveries: ChatDeliveryTable;
  chat_streams: ChatStreamTable;
};

/** A team of a chat platform that belongs to a workspace. A team belongs to one at most. */
export type ChatConnectionTable = {
  id: string;
  workspace_id: string;
  /** Such as `slack`. */
  platform: string;
  /** The platform's ID of the team. */
  team_id: string;
  team_name: string;
  bot_user_id: string;
  /** Separated by spaces. */
  scopes: string;
  /** The platform's token, encrypted like credentials; null once it is no longer valid. */
  sealed_value: string | null;
  wrapped_key: string | null;
  key_id: string | null;
  /** `active`; `broken` if the platform no longer accepts the token; `leaving` until the platform is notified. */
  state: string;
  /** Why it is broken. */
  problem: string | null;
  /** 1 if chat users are linked to people by their email address in the team. */
  link_by_email: number;
  connected_by: string;
  connected_at: number;
  changed_at: number;
};

/** An OAuth attempt to connect a team. */
export type ChatAttemptTable = {
  /** SHA-256 of the secret in the URL that starts the attempt. */
  ticket_hash: string;
  workspace_id: string;
  platform: string;
  user_id: string;
  /** SHA-256 of the `state` of the redirect to the platform; null before the redirect. */
  state_hash: string | null;
  /** SHA-256 of the secret that the browser stores as a cookie. */
  browser_hash: string | null;
  expires_at: number;
};

/** The Toolhost user of a chat user. */
export type ChatLinkTable = {
  id: string;
  connection_id: string;
  chat_user_id: string;
  /** Null once the user removed the link, so that their email address alone does not link them again. */
  user_id: string | null;
  /** `email` or `person`. */
  how: string;
  created_at: number;
};

/** A URL at which a chat user links their account. */
export type ChatLinkTokenTable = {
  token_hash: string;
  connection_id: string;
  chat_user_id: string;
  chat_user_name: string;
  expires_at: number;
};

/** A job: one message, answer, completion or removal that the bot processes. */
export type ChatInboxTable = {
  id: string;
  workspace_id: string;
  connection_id: string;
  platform: string;
  team_id: string;
  /** The platform's ID of the event, or an ID that this service made and no platform uses. */
  event_id: string;
  /** Channel and ID of a message, because platforms may send two events for one message. */
  message_key: string | null;
  /** Jobs with the same key are processed one at a time, in the order of their IDs. */
  thread_key: string;
  /** `message`, `answer`, `run_ended` or `departure` (the bot was removed). */
  kind: string;
  /** JSON; empty once the job is done. */
  payload: string;
  /** `queued`, `running`, `done` or `dead` (a dead letter). */
  status: string;
  /** Incremented by each claim. */
  attempt: number;
  /** The attempts that do not count: those before a requeue by an admin, and those that a shutdown interrupted. */
  uncounted_attempts: number;
  node_id: string;
  /** By the database's clock. After this time any node may requeue the job. */
  lease_until: number | null;
  run_after: number;
  /** 1 once the message has the reaction that acknowledges it. */
  acknowledged: number;
  /** The bot's reply. */
  reply_id: string | null;
  /** Why the last attempt failed. */
  problem: string | null;
  /** The machine-readable form of `problem`, as in the contract. */
  problem_kind: string | null;
  created_at: number;
  finished_at: number | null;
};

/** A thread in which the bot was mentioned; its messages are stored as long as the thread is in use. */
export type ChatThreadTable = {
  connection_id: string;
  channel: string;
  thread: string;
  /** 1 once the messages from before the first mention were requested from the platform. */
  is_read: number;
  used_at: number;
};

export type ChatMessageTable = {
  connection_id: string;
  channel: string;
  thread: string;
  /** IDs sort by time within a thread. */
  message_id: string;
  /** The platform's user ID, or `bot` for the bot itself. */
  author: string;
  text: string;
  /** JSON of its files; null without any. */
  files: string | null;
};

/** A form, choice or confirmation that was requested from a user. */
export type ChatQuestionTable = {
  id: string;
  connection_id: string;
  channel: string;
  thread: string;
  /** The only user who may answer. */
  chat_user_id: string;
  kind: string;
  /** Encrypted JSON of the question's subject, such as the tool and its input. Never sent by a client. */
  sealed_subject: string;
  message_id: string | null;
  answered_at: number | null;
  expires_at: number;
  /** The next time to check whether the service can answer it; null if only the user can. */
  look_at: number | null;
};

/** A run in progress, and the message that will report its completion. */
export type ChatDeliveryTable = {
  run_id: string;
  connection_id: string;
  channel: string;
  thread: string;
  chat_user_id: string;
  message_id: string;
  /** The progress that the message shows. */
  shown: string | null;
  shown_at: number;
  created_at: number;
};

/** A long-lived connection to a platform, which one node holds for all nodes. */
type ChatStreamTable = {
  name: string;
  platform: string;
  /** The node that has the lease. */
  holder: string;
  /** By the database's clock. */
  held_until: number;
  /** The event cursor and the data needed to resume, encrypted; null if the next connection starts a new session. */
  sealed_position: string | null;
  /** Why it currently receives no events. */
  problem: string | null;
};
