import type { Readable } from "node:stream";
import type { ChatBlock, ChatFile, ChatForm } from "./block.ts";

/** A thread in a channel of a team; a message outside of any begins one, which then has its id. */
export type ThreadRef = { channel: string; thread: string };

/** Where something is said that begins no thread. */
export type EphemeralTarget = { channel: string; thread: string | undefined };

/** A chat platform, as far as this server is set up for it. */
export type ChatPlatform = {
  /** As it stands in the database, in addresses and in the audit trail, such as `slack`. */
  name: string;
  /** What people call it. */
  label: string;
  /** Where a browser goes to agree to the connection; it comes back with `state` and a code. */
  installUrl(request: { state: string; redirectUri: string }): string;
  /** Redeems what the browser came back with. Throws `ChatError`. */
  redeem(request: { parameters: URLSearchParams; redirectUri: string }): Promise<ChatInstallation>;
  /**
   * The way into a connected team. A hint is what came with the message or the press that is being answered, or the
   * id that `post` gave for the message that the work goes on from.
   */
  open(team: ChatTeam, hint?: string): ChatTransport;
};

/** What a platform gives when a team agrees. */
export type ChatInstallation = {
  teamId: string;
  teamName: string;
  botUserId: string;
  scopes: readonly string[];
  /** Encrypted where it is kept. */
  secret: string;
};

export type ChatTeam = { teamId: string; botUserId: string; secret: string };

/**
 * What a platform does in one team. Everything throws `ChatError`, and answers within seconds. What may be done
 * twice is harmless when it is; `post` is not tried again by itself, for an error does not say that nothing was posted.
 */
export type ChatTransport = {
  /** Shows at a message that it was seen; at once, and again without harm. */
  acknowledge(message: { channel: string; messageId: string }): Promise<void>;
  /** Posts into a thread and answers the new message's id. */
  post(threadRef: ThreadRef, message: NewChatMessage): Promise<string>;
  /** Replaces what a message of ours shows. */
  update(
    threadRef: ThreadRef,
    message: { messageId: string; blocks: readonly ChatBlock[] },
  ): Promise<void>;
  /** Shows something to one user alone; in the channel where there is no thread yet. */
  postEphemeral(
    threadRef: EphemeralTarget,
    chatUserId: string,
    blocks: readonly ChatBlock[],
  ): Promise<void>;
  /** The message of ours in a thread that was posted with a mark, if there is one; `since` is a message before it. */
  findMarked(threadRef: ThreadRef, mark: string, since: string): Promise<string | undefined>;
  /** Opens a form. `triggerId` is what the platform gave with a press of a button, and holds for seconds. */
  openForm(triggerId: string, form: ChatForm): Promise<void>;
  /** The last messages of a thread before one of them, oldest first. Platforms allow this rarely. */
  readThread(
    threadRef: ThreadRef,
    bounds: { before: string; limit: number },
  ): Promise<ChatThreadMessage[]>;
  findProfile(chatUserId: string): Promise<ChatProfile>;
  /** Opens a file of a message, from the platform's own hosts only. Breaks off beyond `maxBytes`. */
  downloadFile(file: Pick<ChatFile, "id">, maxBytes: number): Promise<ChatDownload>;
  /** Puts a file into a thread. */
  uploadFile(threadRef: ThreadRef, file: ChatUpload): Promise<void>;
  /** Asks whether the team's token is still taken. */
  check(): Promise<void>;
  /** Gives the team's token back. */
  revoke(): Promise<void>;
};

type NewChatMessage = {
  blocks: readonly ChatBlock[];
  /** Kept with it, for `findMarked`. */
  mark: string;
  /** A user whom it calls. */
  notify?: string;
};

export type ChatThreadMessage = {
  messageId: string;
  /** A user's id, or `bot` for our own. */
  author: string;
  text: string;
};

/** What a team says of one of its users. */
export type ChatProfile = {
  name: string;
  /**
   * Only where the platform says that it is confirmed, and that the user is a full member of the team: no guest, no
   * user of another team, no bot, and not deactivated.
   */
  email: string | undefined;
};

export type ChatDownload = { name: string; mimeType: string; size: number; body: Readable };
export type ChatUpload = { name: string; mimeType: string; size: number; body: Readable };
