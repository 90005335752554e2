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
  /** The platform's id of the team. */
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

/** A person's way to a platform and back, to connect a team. */
export type ChatAttemptTable = {
  /** SHA-256 of the secret in the URL that starts the attempt. */
  ticket_hash: string;
  workspace_id: string;
  platform: string;
  user_id: string;
  /** SHA-256 of the `state` that the platform gives back; null before the browser was sent there. */
  state_hash: string | null;
  /** SHA-256 of the secret that the browser stores as a cookie. */
  browser_hash: string | null;
  expires_at: number;
};

/** Who a user of a team is here. */
export type ChatLinkTable = {
  id: string;
  connection_id: string;
  chat_user_id: string;
  /** Null once the person removed the link: then their email address alone does not link them again. */
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

/** Something that has to be done for a chat, once and in the order of its thread. */
export type ChatInboxTable = {
  id: string;
  workspace_id: string;
  connection_id: string;
  platform: string;
  team_id: string;
  /** The platform's id of the event, or one of ours that no platform makes. */
  event_id: string;
  /** Channel and id of a message, which may come with two events. */
  message_key: string | null;
  /** Jobs with the same key are processed one by one. */
  thread_key: string;
  /** `message`, `answer`, `run_ended` or `departure`. */
  kind: string;
  /** JSON; empty once it is done. */
  payload: string;
  /** `queued`, `running`, `done` or `dead`. */
  status: string;
  /** Counts the nodes and times that took it. */
  attempt: number;
  /** How many of them say nothing against another: those before a retry, and those that a stop cut off. */
  uncounted_attempts: number;
  node_id: string;
  /** By the database's clock; from then on others may take it. */
  lease_until: number | null;
  run_after: number;
  /** 1 once the message shows that it was seen. */
  acknowledged: number;
  /** The message that answers it. */
  reply_id: string | null;
  /** Why the last attempt failed. */
  problem: string | null;
  /** The same for programs, as the contract names it. */
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
  /** Sorts by time within a thread. */
  message_id: string;
  /** The platform's id of a user, or `bot` for our own. */
  author: string;
  text: string;
};

/** A form, choice or confirmation that was requested from a user. */
export type ChatQuestionTable = {
  id: string;
  connection_id: string;
  channel: string;
  thread: string;
  /** The only one who may answer. */
  chat_user_id: string;
  kind: string;
  /** JSON of what it is about, such as the tool and its input: never from the client, and encrypted. */
  sealed_subject: string;
  message_id: string | null;
  answered_at: number | null;
  expires_at: number;
  /** When to look next whether it can be answered without its person; null for one that only they answer. */
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
  /** The node, until a time by the database's clock. */
  holder: string;
  held_until: number;
  /** The event cursor and the data needed to resume, encrypted; null if the next connection starts a new session. */
  sealed_position: string | null;
  /** Why it currently receives no events. */
  problem: string | null;
};
