import { Readable } from "node:stream";
import { ChatError } from "#core/chat";
import { parseJson } from "#lib/parse-json";
import { boundedFile } from "../bounded-file.ts";
import type { TokenSource } from "./entra.ts";
import { isServiceUrl } from "./teams-settings.ts";
import type { TeamsSettings } from "./teams-settings.ts";

const timeoutMs = 8_000;
const maxAnswerBytes = 1_000_000;
const maxWaitSeconds = 3_600;

/** Sends a request such as `POST v3/conversations` to the Bot Connector, without retries. Throws `ChatError`. */
export type CallTeams = (request: string, body?: object) => Promise<unknown>;

export function createTeamsCall(
  settings: TeamsSettings,
  tokens: TokenSource,
  serviceUrl: string,
): CallTeams {
  return async (request, body) => {
    const [method = "GET", path = ""] = request.split(" ");
    const url = new URL(path, serviceUrl.endsWith("/") ? serviceUrl : `${serviceUrl}/`);
    const json = body === undefined ? undefined : JSON.stringify(body);
    const answer = await sendWithToken(settings, tokens, url, { method, json });
    if (answer.status >= 200 && answer.status < 300) {
      return parseJson(await readText(answer).catch(() => ""));
    }
    await answer.body?.cancel();
    if (answer.status === 401) await tokens.renew();
    // IDs are left out.
    throw toChatError(`${method} ${path.replaceAll(/\/[^/]*(?:%3A|\d)[^/]*/g, "/…")}`, answer);
  };
}

type Sending = { method?: string; json?: string | undefined; forMs?: number };

/** A request with the bot's token, which only the Bot Connector receives. */
export async function sendWithToken(
  settings: TeamsSettings,
  tokens: TokenSource,
  url: URL,
  { method = "GET", json, forMs = timeoutMs }: Sending,
): Promise<Response> {
  if (!isServiceUrl(settings, url.href)) throw new ChatError("refused", "URL of another host");
  const token = await tokens.get();
  const headers = new Headers({ authorization: `Bearer ${token}` });
  if (json !== undefined) headers.set("content-type", "application/json");
  const signal = AbortSignal.timeout(forMs);
  try {
    return await fetch(url, { method, headers, body: json ?? null, redirect: "manual", signal });
  } catch {
    throw new ChatError("later", "The Bot Connector did not respond");
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Buffer[] = [];
  if (body === null) return "";
  for await (const chunk of boundedFile(Readable.fromWeb(body), maxAnswerBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export function toChatError(request: string, { status, headers }: Response): ChatError {
  const message = `${request}: HTTP ${status}`;
  if (status === 429) {
    const seconds = Number(headers.get("retry-after") ?? 1) || 1;
    const retryAfterMs = Math.min(Math.max(1, seconds), maxWaitSeconds) * 1_000;
    return new ChatError("later", message, { retryAfterMs, kind: "rate_limited" });
  }
  if (status === 401) return new ChatError("later", message, { kind: "not_set_up" });
  if (status === 413) return new ChatError("refused", message, { kind: "too_large" });
  // Microsoft names 412 among the errors after which a request is repeated.
  if (status >= 500 || status === 408 || status === 412) return new ChatError("later", message);
  // The app was removed from the conversation, or the conversation was deleted.
  return new ChatError(status === 403 || status === 404 ? "gone" : "refused", message);
}
