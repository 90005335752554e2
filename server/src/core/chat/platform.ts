import type { Readable } from "node:stream";
import type { ChatBlock, ChatFile, ChatForm } from "./block.ts";
import type { ChatPanels } from "./panels/panel.ts";

/** A thread in a channel. A message outside of threads starts one with its own ID. */
export type ThreadRef = { channel: string; thread: string };

/** Where an ephemeral message is posted: a channel, or a thread that exists. */
export type EphemeralTarget = { channel: string; thread: string | undefined };

/** What a platform can do. The bot decides by these flags alone, and never by the name of a platform. */
type ChatCapabilities = {
  /** Whether profiles contain confirmed email addresses. */
  emails: boolean;
  /** Whether it shows forms. Elsewhere a form is a page of this server. */
  forms: boolean;
  /** Whether files can be uploaded into a thread. Elsewhere the page of the run has them. */
  files: boolean;
  /** Whether it shows buttons that rate a result. */
  feedback: boolean;
  /** Whether messages from before the bot was asked can be read. */
  history: boolean;
  /** Whether a message that the channel refuses can be sent to one person instead. */
  directMessages: boolean;
  /**
   * Whether `post` with the same mark, repeated within seconds, returns the first message. The bot then repeats a post
   * whose response was lost; elsewhere an error does not prove that nothing was posted.
   */
  postsOnce: boolean;
};

/** A chat platform that this server is configured for. */
export type ChatPlatform = {
  /** The name in the database, URLs and the audit log, such as `slack`. */
  name: string;
  /** The display name. */
  label: string;
  capabilities: ChatCapabilities;
  /** The permissions that the app requests, where an app that was installed earlier may lack some. */
  scopes?: readonly string[];
  /** The authorization URL; the platform redirects back with `state` and a code. */
  installUrl(request: { state: string; redirectUri: string }): string;
  /** Redeems the code of a callback. Throws `ChatError`. */
  redeem(request: { parameters: URLSearchParams; redirectUri: string }): Promise<ChatInstallation>;
  /**
   * Opens the transport into a team. The hint is from the message or button press that is answered, or the ID that
   * `post` returned for the message that a job continues.
   */
  open(team: ChatTeam, hint?: string): PlatformTransport;
};

/** The result of an installation. */
export type ChatInstallation = {
  teamId: string;
  teamName: string;
  botUserId: string;
  scopes: readonly string[];
  /** Stored encrypted. */
  secret: string;
};

export type ChatTeam = { teamId: string; botUserId: string; secret: string };

/** A transport as a platform provides it, without the methods that the platform has nothing for. */
export type PlatformTransport = RequiredMethods & Partial<OptionalMethods>;

/** The API of a platform for one team. A method that the platform lacks does nothing, or throws `ChatError` "refused". */
export type ChatTransport = RequiredMethods & OptionalMethods & { capabilities: ChatCapabilities };

/**
 * Every method throws `ChatError` and returns within seconds. All but `post` and `uploadFile` are idempotent; see
 * {@link ChatCapabilities.postsOnce}.
 */
type RequiredMethods = {
  /** Windows and the page of a person, on platforms that have them. */
  panels?: ChatPanels;
  /** Posts into a thread and returns the message ID. */
  post(threadRef: ThreadRef, message: NewChatMessage): Promise<string>;
  /** Posts into a channel outside of threads. A retry posts nothing if the channel's latest messages include the mark. */
  postToChannel(channel: string, message: NewChatMessage, isRetry: boolean): Promise<void>;
  /** Replaces the content of one of the bot's messages. A mark that is given is stored with it. */
  update(
    threadRef: ThreadRef,
    message: { messageId: string; blocks: readonly ChatBlock[]; mark?: string },
  ): Promise<void>;
  /** Posts a message that only one user sees. */
  postEphemeral(
    threadRef: EphemeralTarget,
    chatUserId: string,
    blocks: readonly ChatBlock[],
  ): Promise<void>;
  /** The bot's message with a mark, posted after `since`, if there is one. */
  findMarked(threadRef: ThreadRef, mark: string, since: string): Promise<string | undefined>;
  findProfile(chatUserId: string): Promise<ChatProfile>;
  /** Downloads a file from the platform's own hosts only, and fails beyond `maxBytes`. */
  downloadFile(file: Pick<ChatFile, "id">, maxBytes: number): Promise<ChatDownload>;
  /** Checks that the token is still valid. */
  check(): Promise<void>;
  /** Revokes the token. */
  revoke(): Promise<void>;
};

type OptionalMethods = {
  /** Whether a message with these blocks shows all of them. Others are cut, and have no buttons to press. */
  showsWhole(blocks: readonly ChatBlock[]): boolean;
  /** Shows that a message arrived, such as by a reaction. */
  acknowledge(message: { channel: string; messageId: string }): Promise<void>;
  /** Shows that a message is no longer being worked on, and whether its run succeeded or it failed, if either. */
  finish(message: { channel: string; messageId: string }, outcome?: ChatOutcome): Promise<void>;
  /**
   * Shows in a thread what the bot is doing, such as "is running Add numbers…", until its next message or `undefined`.
   * Does nothing where the platform cannot.
   */
  setStatus(
    threadRef: ThreadRef,
    chatUserId: string,
    status: ChatStatus | undefined,
  ): Promise<void>;
  /**
   * A message that is shown while it is written. Undefined where the platform has none, or recently refused it.
   * After a crash, `update` completes the message, and `findMarked` finds it, with or without its mark.
   */
  openStream(
    threadRef: ThreadRef,
    message: { chatUserId: string; mark: string },
  ): ChatStream | undefined;
  /** Shows a message to the user who pressed a button. Works where and when other requests are refused. */
  respond(responseUrl: string, blocks: readonly ChatBlock[]): Promise<void>;
  /** With `directMessages`: sends a message to one user because it cannot be posted in the channel. */
  postPrivately(channel: string, chatUserId: string, blocks: readonly ChatBlock[]): Promise<void>;
  /** With `forms`: opens a form. `triggerId` comes with a button press and is valid for seconds. */
  openForm(triggerId: string, form: ChatForm): Promise<void>;
  /**
   * With `history`: the first message of a thread and the latest ones before one, oldest first. Platforms limit this
   * strictly.
   */
  readThread(threadRef: ThreadRef, bounds: { before: string; limit: number }): Promise<ChatThread>;
  /** With `files`: uploads a file into a thread. */
  uploadFile(threadRef: ThreadRef, file: ChatUpload): Promise<void>;
};

/** How the work on a message ended. Neither for a question or an answer without a run. */
export type ChatOutcome = "succeeded" | "failed";

/** What the bot is doing, in two forms: `sentence` follows its name, and `title` stands alone. */
export type ChatStatus = { sentence: string; title: string };

/** A message that is shown while it is written. Its methods throw `ChatError`, and are called one at a time. */
export type ChatStream = {
  /** Shows the Markdown that has been written so far. Returns the message ID, or undefined if that is too little. */
  show(words: string): Promise<string | undefined>;
  /** Completes the message. Another call, or `update`, leads to the same message. */
  finish(blocks: readonly ChatBlock[]): Promise<void>;
};

type NewChatMessage = {
  blocks: readonly ChatBlock[];
  /** Stored with the message, for `findMarked`. */
  mark: string;
  /** A user to mention. */
  notify?: string;
};

export type ChatThreadMessage = {
  messageId: string;
  /** A user ID, or `bot` for the bot itself. */
  author: string;
  text: string;
  files?: readonly ChatFile[];
};

/** What could be read of a thread. An incomplete one is read again for the next turn. */
export type ChatThread = { messages: ChatThreadMessage[]; isComplete: boolean };

/** The profile of a user in a team. */
export type ChatProfile = {
  name: string;
  /**
   * Only if the platform confirms the address and the user is an active full member of the team: no guest, no bot, no
   * member of another team.
   */
  email: string | undefined;
};

export type ChatDownload = { name: string; mimeType: string; size: number; body: Readable };
export type ChatUpload = { name: string; mimeType: string; size: number; body: Readable };
