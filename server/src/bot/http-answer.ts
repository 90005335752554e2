import { Readable } from "node:stream";
import { ChatError } from "#core/chat";
import { boundedFile } from "./bounded-file.ts";

const maxWaitSeconds = 3_600;

/** The error of a response with a status that is not successful, for a platform without error codes of its own. */
export function toChatError(request: string, { status, headers }: Response): ChatError {
  const message = `${request}: HTTP ${status}`;
  if (status === 429) {
    const seconds = Number(headers.get("x-ratelimit-reset") ?? headers.get("retry-after") ?? 1);
    const retryAfterMs = Math.min(Math.max(1, seconds || 1), maxWaitSeconds) * 1_000;
    return new ChatError("later", message, { retryAfterMs, kind: "rate_limited" });
  }
  // The bot's token or secret is a setting, so a wrong one breaks no connection; the operator has to fix it.
  if (status === 401) return new ChatError("later", message, { kind: "not_set_up" });
  if (status === 413) return new ChatError("refused", message, { kind: "too_large" });
  // Microsoft names 412 among the errors after which a request is repeated.
  if (status >= 500 || status === 408 || status === 412) return new ChatError("later", message);
  return new ChatError(status === 403 || status === 404 ? "gone" : "refused", message);
}

/** The body of a response. Throws `ChatError` for one that is too long. */
export async function readText({ body }: Response, maxBytes: number): Promise<string> {
  if (body === null) return "";
  const chunks: Buffer[] = [];
  for await (const chunk of boundedFile(Readable.fromWeb(body), maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
