import type { ChatProblemKind } from "@toolhost/contract";

/** Why a platform did not do what was asked. */
export type ChatFailure =
  /** Not now: too many requests, an outage, no answer. */
  | "later"
  /** It takes the connection's token no more. */
  | "revoked"
  /** What it was about is not there any more, or the bot is not let in. */
  | "gone"
  /** It will not do this, however often it is asked. */
  | "refused";

type More = {
  /** Of `later`: before that there is no point in asking. */
  retryAfterMs?: number;
  /** What admins are told, where that is more than the failure says. */
  kind?: ChatProblemKind;
};

const kinds: Readonly<Record<ChatFailure, ChatProblemKind>> = {
  later: "no_answer",
  revoked: "revoked",
  gone: "gone",
  refused: "refused",
};

/** A platform's refusal. The message names what was asked and the platform's code, and nothing that was sent. */
export class ChatError extends Error {
  override name = "ChatError";
  readonly failure: ChatFailure;
  /** Of `later`: before that there is no point in asking. */
  readonly retryAfterMs: number | undefined;
  readonly kind: ChatProblemKind;

  constructor(failure: ChatFailure, message: string, { retryAfterMs, kind }: More = {}) {
    super(message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
    this.kind = kind ?? kinds[failure];
  }
}
