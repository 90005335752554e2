import { z } from "zod";
import { ChatError } from "#core/chat";

/** Discord normally responds within a second. */
const timeoutMs = 8_000;
const maxWaitSeconds = 3_600;

type DiscordRequest = {
  /** Names the request in errors, because a URL may contain a token. */
  label: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to the API's URL. Untrusted parts must be encoded. */
  path: string;
  body?: object;
  /** Instead of a JSON body: for files, and for OAuth. */
  form?: FormData | URLSearchParams;
  /** For files, which take longer. */
  timeoutMs?: number;
};

/** Sends one request to Discord's API, without retries. Throws `ChatError`. */
export type CallDiscord = (request: DiscordRequest) => Promise<unknown>;

/** Calls Discord's API with an `Authorization` header, or without one where the URL of an interaction has the token. */
export function createDiscordCall(apiUrl: string, authorization?: string): CallDiscord {
  return async (request) => {
    const answer = await send(apiUrl, authorization, request);
    const body = await readJson(answer);
    if (answer.status >= 200 && answer.status < 300) return body;
    throw toChatError(request.label, answer, body);
  };
}

async function send(
  apiUrl: string,
  authorization: string | undefined,
  { label, method, path, body, form, timeoutMs: givenMs }: DiscordRequest,
): Promise<Response> {
  try {
    return await fetch(new URL(path, apiUrl), {
      method,
      headers: {
        // Discord requires this form of user agent.
        "user-agent": "DiscordBot (toolhost, 1)",
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: form }),
      redirect: "manual",
      signal: AbortSignal.timeout(givenMs ?? timeoutMs),
    });
  } catch {
    throw new ChatError("later", `${label}: no response`);
  }
}

async function readJson(answer: Response): Promise<unknown> {
  try {
    return JSON.parse(await answer.text());
  } catch {
    return undefined;
  }
}

const problem = z.object({
  code: z.number().int().optional(),
  retry_after: z.number().nonnegative().optional(),
});

function toChatError(label: string, { status, headers }: Response, body: unknown): ChatError {
  const { code, retry_after: retryAfter } = problem.safeParse(body).data ?? {};
  const message = `${label}: ${code === undefined || code === 0 ? `HTTP ${status}` : code}`;
  if (status === 429) {
    const seconds = retryAfter ?? Number(headers.get("retry-after") ?? 1);
    const waitMs = Math.min(Number.isFinite(seconds) ? seconds : 1, maxWaitSeconds) * 1_000;
    return new ChatError("later", message, {
      retryAfterMs: Math.ceil(waitMs),
      kind: "rate_limited",
    });
  }
  // All servers share the bot token of the configuration, so a wrong one breaks no connection; the operator has to fix it.
  if (status === 401 && code !== invalidWebhookToken) {
    return new ChatError("later", message, { kind: "not_set_up" });
  }
  if (status >= 500 || status === 408) return new ChatError("later", message);
  return new ChatError([401, 403, 404].includes(status) ? "gone" : "refused", message);
}

const invalidWebhookToken = 50_027;
const unknownWebhook = 10_015;
const unknownMessage = 10_008;

/** Whether an interaction, or that message of it, can no longer be answered. */
export function isOver(error: unknown): boolean {
  return isRefusedBy(error, invalidWebhookToken, unknownWebhook, unknownMessage);
}

/** Whether Discord refused a request with one of these error codes. */
export function isRefusedBy(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof ChatError && codes.some((code) => error.message.endsWith(`: ${code}`));
}
