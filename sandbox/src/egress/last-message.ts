import type { PooledConnection } from "./connections.ts";
import { pairsOf } from "./headers.ts";
import type { Permit } from "./egress-lease.ts";

/**
 * A tool's header with a last message: what to send to the same address, with the same headers, if the run ends while the
 * request is open. It tells a server that does not notice a closed connection to stop its work. Code could not send it,
 * because the process of a run that is cancelled is killed.
 */
const LAST_MESSAGE_HEADER = "x-toolhost-last-message";
const MAX_CHARS = 1_000;
const TIMEOUT_MS = 5_000;

/** The last message of a request. Undefined without one, or if it is not short, printable ASCII text. */
export function lastMessageOf(raw: readonly string[]): string | undefined {
  const values = pairsOf(raw).filter(([name]) => name.toLowerCase() === LAST_MESSAGE_HEADER);
  const [[, text] = []] = values;
  if (text === undefined || values.length > 1) return undefined;
  return text.length <= MAX_CHARS && /^[\x20-\x7e]+$/.test(text) ? text : undefined;
}

type LastMessage = { method: string; path: string; headers: readonly string[]; text: string };

/** Sends the message, counted as a request of the run, and ignores the response. */
export async function sendLastMessage(
  { pool }: PooledConnection,
  { method, path, headers, text }: LastMessage,
  { countRequest, sent }: Permit,
): Promise<void> {
  const kept = pairsOf([...headers]).filter(([name]) => name.toLowerCase() !== "content-length");
  try {
    countRequest();
    sent.count(text.length);
    const answer = await pool.request({
      method,
      path,
      headers: kept.flat(),
      body: text,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body.dump();
  } catch {
    // The result is not used, and the run's network limits may be used up.
  }
}
