import { ChatError } from "#core/chat";
import { parseJson } from "#lib/parse-json";
import { readText, toChatError } from "../http-answer.ts";

/** Mattermost normally responds within a second. */
const defaultTimeoutMs = 8_000;

type Body = object | URLSearchParams | ReadableStream;

/**
 * Sends a request such as `GET api/v4/users/me`, without retries. Untrusted parts of the path must be encoded. Throws
 * `ChatError`.
 */
export type CallMattermost = {
  json(request: string, body?: Body, timeoutMs?: number): Promise<unknown>;
  raw(request: string, body?: Body, timeoutMs?: number): Promise<Response>;
};

/** Calls the API of a Mattermost server with a token, or without one for OAuth. */
export function createMattermostCall(serverUrl: string, token?: string): CallMattermost {
  const raw: CallMattermost["raw"] = async (request, body, timeoutMs = defaultTimeoutMs) => {
    const answer = await send({ serverUrl, token, timeoutMs }, request, body);
    if (answer.status >= 200 && answer.status < 300) return answer;
    await answer.body?.cancel();
    throw toChatError(labelOf(request), answer);
  };
  return {
    raw,
    json: async (...request) => {
      const answer = await raw(...request);
      const text = await readText(answer, maxAnswerBytes).catch(() => "");
      const body = parseJson(text);
      if (body !== undefined) return body;
      throw new ChatError("later", `${labelOf(request[0])}: no valid response`);
    },
  };
}

/** A page of the longest messages has about 4 MB. */
const maxAnswerBytes = 16_000_000;

/** A request without IDs and parameters, for errors. */
function labelOf(request: string): string {
  return request.replaceAll(/[a-z0-9]{26}/g, "…").replace(/\?.*/, "");
}

type Server = { serverUrl: string; token: string | undefined; timeoutMs: number };

async function send(
  { serverUrl, token, timeoutMs }: Server,
  request: string,
  body: Body | undefined,
): Promise<Response> {
  const [method = "GET", path = ""] = request.split(" ");
  const isJson =
    body !== undefined && !(body instanceof URLSearchParams) && !(body instanceof ReadableStream);
  try {
    return await fetch(new URL(path, `${serverUrl}/`), {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(isJson ? { "content-type": "application/json" } : {}),
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    throw new ChatError("later", `${labelOf(request)}: no response`);
  }
}
