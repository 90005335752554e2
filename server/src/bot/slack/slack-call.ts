import {
  LogLevel,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebClient,
} from "@slack/web-api";
import type { Logger, WebAPICallResult } from "@slack/web-api";
import type { ChatProblemKind } from "@toolhost/contract";
import { ChatError } from "#core/chat";
import type { ChatFailure } from "#core/chat";

/** Slack normally responds within a second. */
const timeoutMs = 8_000;

/** Calls a Web API method. Throws `ChatError`. */
export type CallSlack = (
  method: string,
  values: Readonly<Record<string, unknown>>,
) => Promise<WebAPICallResult>;

/**
 * Calls Slack's Web API without retries, because only the caller knows whether a call can be repeated. The library's own
 * retries and logging are off: it would wait for minutes, and it logs what is sent.
 */
export function createSlackCall(apiUrl: string, token?: string): CallSlack {
  const client = new WebClient(token, {
    slackApiUrl: apiUrl,
    allowAbsoluteUrls: false,
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: silent,
  });
  return async (method, values) => {
    try {
      return await client.apiCall(method, values);
    } catch (error) {
      throw toChatError(method, error);
    }
  };
}

function toChatError(method: string, error: unknown): ChatError {
  if (error instanceof WebAPIRateLimitedError) {
    return new ChatError("later", `${method}: rate limited`, {
      retryAfterMs: error.retryAfter * 1_000,
      kind: "rate_limited",
    });
  }
  if (error instanceof WebAPIPlatformError) {
    const code = /^[a-z0-9_]{1,80}$/.test(error.data.error) ? error.data.error : "unknown";
    const kind = kinds.get(code);
    return new ChatError(failures.get(code) ?? "refused", `${method}: ${code}`, kind && { kind });
  }
  if (error instanceof WebAPIHTTPError) {
    const failure = error.statusCode >= 500 || error.statusCode === 408 ? "later" : "refused";
    return new ChatError(failure, `${method}: HTTP ${error.statusCode}`);
  }
  return new ChatError("later", `${method}: no response`);
}

const codes: Readonly<Record<ChatFailure, readonly string[]>> = {
  later: [
    "fatal_error",
    "internal_error",
    "ratelimited",
    "rate_limited",
    "request_timeout",
    "service_unavailable",
    "team_added_to_org",
  ],
  revoked: [
    "account_inactive",
    "invalid_auth",
    "not_authed",
    "org_login_required",
    "team_access_not_granted",
    "token_expired",
    "token_revoked",
  ],
  gone: [
    "cant_update_message",
    "channel_not_found",
    "expired_trigger_id",
    "file_deleted",
    "file_not_found",
    "is_archived",
    "message_not_found",
    "not_in_channel",
    "thread_not_found",
    "user_not_found",
    "user_not_visible",
  ],
  refused: [],
};

const failures = new Map<string, ChatFailure>(
  (Object.keys(codes) as ChatFailure[]).flatMap((failure) =>
    codes[failure].map((code) => [code, failure] as const),
  ),
);

/** Codes with a more specific problem than their failure. */
const kinds = new Map<string, ChatProblemKind>([
  ["missing_scope", "missing_right"],
  ["ratelimited", "rate_limited"],
  ["rate_limited", "rate_limited"],
]);

const nothing = () => undefined;
/** The libraries of Slack log what they send and receive. */
export const silent: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};
