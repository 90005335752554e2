import type { ChatFile, ChatValues } from "./block.ts";
import type { ThreadRef, ChatThreadMessage } from "./platform.ts";

/**
 * Whether the platform says with the event that its user is a guest, or of another team: such a user is never known
 * by an e-mail address.
 */
type IsExternal = boolean | undefined;

/** A message to the bot: one that mentions it, or one in a direct conversation. */
export type ChatMessage = ThreadRef & {
  teamId: string;
  /** The platform's id of the event, the same each time that it is delivered. */
  eventId: string;
  messageId: string;
  chatUserId: string;
  isExternal?: IsExternal;
  /** What was said, without the mention that it began with. Hostile. */
  text: string;
  files: readonly ChatFile[];
  /** Another message, that the person pointed at. Hostile as well. */
  about?: ChatThreadMessage;
  /** What the platform gave to answer by, as its transport reads it. Encrypted in the inbox. */
  hint?: string;
};

/** Something said in a thread and not to the bot. */
export type ThreadMessage = ThreadRef & {
  teamId: string;
  messageId: string;
  chatUserId: string;
  text: string;
};

/** A message that was changed, or deleted: then its text is null. */
export type MessageEdit = {
  teamId: string;
  channel: string;
  messageId: string;
  text: string | null;
};

/** The bot was removed from a team, or its token taken back. */
export type ChatDeparture = { teamId: string; eventId: string; reason: "uninstalled" | "revoked" };

/** A press of a button that has a question behind it. */
export type ChatPress = ThreadRef & {
  teamId: string;
  chatUserId: string;
  isExternal?: IsExternal;
  questionId: string;
  choice: string;
  /** What a form may be opened with at once. The transport is given it as its hint, too. */
  triggerId: string;
};

/** A form that was sent. */
export type ChatSubmission = {
  teamId: string;
  chatUserId: string;
  isExternal?: IsExternal;
  questionId: string;
  values: ChatValues;
};

/** What the inbox keeps of each kind of work. */
export type InboxJob =
  | { kind: "message"; message: ChatMessage }
  | { kind: "answer"; answer: ChatAnswer }
  | { kind: "run_ended"; ended: EndedDelivery }
  | { kind: "departure"; reason: ChatDeparture["reason"] };

/** A question's answer, by the one who was asked. */
type ChatAnswer = ThreadRef & {
  chatUserId: string;
  isExternal?: IsExternal;
  questionId: string;
  questionKind: string;
  /** What was kept with the question. It was encrypted, and is again in the inbox. */
  sealedSubject: string;
  messageId: string | null;
  /** The button's choice, or what was filled in, encrypted. */
  sealedResponse: string;
};

/** A run that somebody was promised the end of. */
type EndedDelivery = ThreadRef & { chatUserId: string; runId: string; messageId: string };
