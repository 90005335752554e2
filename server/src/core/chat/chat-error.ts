import type { ChatProblemKind } from "@toolhost/contract";

/** Why a request to a platform failed. */
export type ChatFailure =
  /** Temporary: rate limit, outage or timeout. */
  | "later"
  /** The token of the connection is no longer valid. */
  | "revoked"
  /** The target no longer exists, or the bot has no access to it. */
  | "gone"
  /** Permanent: a retry would fail as well. */
  | "refused";

/** Whether a message cannot be posted or edited where it belongs. A missing right or token is for admins to fix. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof ChatError) || error.kind === "missing_right") return false;
  return error.failure === "refused" || error.failure === "gone";
}

/** Whether the platform definitely did nothing, and said when to retry. */
export function isRateLimited(error: unknown): error is ChatError & { retryAfterMs: number } {
  return error instanceof ChatError && error.retryAfterMs !== undefined;
}

type More = {
  /** For `later`: the earliest time for a retry. */
  retryAfterMs?: number;
  /** The problem that admins see, where it is more specific than the failure. */
  kind?: ChatProblemKind;
};

const kinds: Readonly<Record<ChatFailure, ChatProblemKind>> = {
  later: "no_answer",
  revoked: "revoked",
  gone: "gone",
  refused: "refused",
};

/**
 * A failed request to a platform. The message has only the request and the error code of the platform, and nothing
 * that was sent.
 */
export class ChatError extends Error {
  override name = "ChatError";
  readonly failure: ChatFailure;
  /** For `later`: the earliest time for a retry. */
  readonly retryAfterMs: number | undefined;
  readonly kind: ChatProblemKind;

  constructor(failure: ChatFailure, message: string, { retryAfterMs, kind }: More = {}) {
    super(message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
    this.kind = kind ?? kinds[failure];
  }
}
