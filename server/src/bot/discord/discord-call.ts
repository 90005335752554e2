import { z } from "zod";
import { ChatError } from "#core/chat";

/** Discord answers within a second or is as good as away. */
const timeoutMs = 8_000;
const maxWaitSeconds = 3_600;

type DiscordRequest = {
  /** What is asked, in words: an address may hold a token, and errors say what was asked. */
  label: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the API's address; every part that is not ours must be encoded. */
  path: string;
  body?: object;
  /** In the place of a body: what goes with files, and what OAuth wants. */
  form?: FormData | URLSearchParams;
  /** Files may take their time. */
  timeoutMs?: number;
};

/** One request of Discord's API, made once. Throws `ChatError`. */
export type CallDiscord = (request: DiscordRequest) => Promise<unknown>;

/** Calls Discord's API with an `Authorization` header, or as nobody: addresses of interactions speak for themselves. */
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
        // Discord turns away whoever does not say so.
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
    throw new ChatError("later", `${label}: no answer`);
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
  // The bot's token is the server's, not a team's: a wrong one breaks no connection, but waits for the operator.
  if (status === 401 && code !== invalidWebhookToken) {
    return new ChatError("later", message, { kind: "not_set_up" });
  }
  if (status >= 500 || status === 408) return new ChatError("later", message);
  return new ChatError([401, 403, 404].includes(status) ? "gone" : "refused", message);
}

const invalidWebhookToken = 50_027;
const unknownWebhook = 10_015;
const unknownMessage = 10_008;

/** Whether an interaction cannot be answered any more, or not that message of it. */
export function isOver(error: unknown): boolean {
  return isRefusedBy(error, invalidWebhookToken, unknownWebhook, unknownMessage);
}

/** Whether Discord refused something for one of these reasons, by its own numbers. */
export function isRefusedBy(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof ChatError && codes.some((code) => error.message.endsWith(`: ${code}`));
}
