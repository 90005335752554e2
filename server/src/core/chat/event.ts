import type { ChatBlock, ChatFile, ChatForm, ChatValues } from "./block.ts";
import type { ChatThreadMessage, ThreadRef } from "./platform.ts";

/** Whether the event marks the user as a guest or a member of another team, who is never linked by email address. */
type IsExternal = boolean | undefined;

/** A message that mentions the bot, or one in a direct conversation. */
export type ChatMessage = ThreadRef & {
  teamId: string;
  /** The platform's ID of the event, the same for every delivery. */
  eventId: string;
  messageId: string;
  chatUserId: string;
  /** Whether it starts a thread in a conversation with the bot alone, whose earlier threads are context as well. */
  isDirect?: boolean;
  isExternal?: IsExternal;
  /** Without the mention of the bot. Untrusted. */
  text: string;
  files: readonly ChatFile[];
  /** Whether it stands for an event without a message, so that none gets a reaction. */
  isEvent?: boolean;
  /** Another message that the person referred to. Untrusted. */
  about?: ChatThreadMessage;
  /** What the transport needs to answer. Encrypted in the inbox. */
  hint?: string;
};

/** A message in a thread that is not for the bot, unless it stops an answer to its author. */
export type ThreadMessage = ThreadRef & {
  /** The platform's ID of the event; without one, the ID of the message. */
  eventId?: string;
  isExternal?: IsExternal;
  teamId: string;
  messageId: string;
  chatUserId: string;
  text: string;
  files?: readonly ChatFile[];
};

/** An edited message, or a deleted one with null as its text. */
export type MessageEdit = {
  teamId: string;
  channel: string;
  messageId: string;
  text: string | null;
};

/** The bot was removed from a team, or its token was revoked. */
export type BotRemoval = { teamId: string; eventId: string; reason: "uninstalled" | "revoked" };

/** A press of a button that answers a question. */
export type ChatPress = ThreadRef & {
  teamId: string;
  chatUserId: string;
  isExternal?: IsExternal;
  questionId: string;
  choice: string;
  /** Allows a form to be opened for a few seconds. Also the hint for the transport. */
  triggerId: string;
  /** For `ChatTransport.respond`. Also the hint for the transport that answers. */
  responseUrl?: string | undefined;
  /** Shows the person a message as the response to the press, on platforms that wait for it. */
  respond?: (blocks: readonly ChatBlock[]) => void;
  /** Shows the person a form in the same way, instead of `ChatTransport.openForm`. Throws `ChatError` for one that needs a page. */
  showForm?: (form: ChatForm) => void;
  /** The panel with the button, if it is not in a message. */
  panelId?: string | undefined;
};

/** A submitted form. */
export type ChatSubmission = {
  teamId: string;
  chatUserId: string;
  isExternal?: IsExternal;
  questionId: string;
  values: ChatValues;
  /** That of the press that opened the form. */
  responseUrl?: string | undefined;
};

/** What an attempt of a job stores for later ones. */
export type JobState = {
  /** The encrypted answer of the language model, once it is complete. */
  sealedAnswer?: string | undefined;
  /** An attempt whose reply the platform definitely did not post. */
  unpostedAttempt?: number | undefined;
  /** The runs that a message "stop" cancels. */
  stoppingRunIds?: readonly string[] | undefined;
};

/** The payload of an inbox job. */
export type InboxJob = JobState & InboxJobKind;

type InboxJobKind =
  /** `stoppedJobIds`: the jobs that a message "stop" ends; absent for any other message. */
  | { kind: "message"; message: ChatMessage; stoppedJobIds?: readonly string[] }
  | { kind: "answer"; answer: ChatAnswer }
  | { kind: "run_ended"; ended: EndedDelivery }
  | { kind: "departure"; reason: BotRemoval["reason"] }
  | { kind: "home"; home: HomeOpening };

/** A job that answers a person. */
export type AnswerableJob = JobState & Exclude<InboxJobKind, { kind: "departure" | "home" }>;

/** A person opened their Home, or their conversation with the bot. */
type HomeOpening = {
  chatUserId: string;
  isExternal?: IsExternal;
  /** The conversation. */
  channel?: string | undefined;
  /** The version that they see. */
  hash?: string | undefined;
};

/** The answer to a question by the user who was asked. */
type ChatAnswer = ThreadRef & {
  chatUserId: string;
  isExternal?: IsExternal;
  questionId: string;
  questionKind: string;
  /** The encrypted subject of the question. */
  sealedSubject: string;
  messageId: string | null;
  /** The encrypted choice or form values. */
  sealedResponse: string;
  /** The encrypted response URL. */
  hint?: string;
};

/** A completed run whose result a chat user waits for. */
type EndedDelivery = ThreadRef & { chatUserId: string; runId: string; messageId: string };
