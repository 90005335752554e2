import { ChatError } from "#core/chat";
import { parseJson } from "#lib/parse-json";
import { readText, toChatError } from "../http-answer.ts";
import type { TokenSource } from "./entra.ts";
import { isServiceUrl } from "./teams-settings.ts";
import type { TeamsSettings } from "./teams-settings.ts";

const timeoutMs = 8_000;
const maxAnswerBytes = 1_000_000;

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
      return parseJson(await readText(answer, maxAnswerBytes).catch(() => ""));
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
