import type { LogLine, Question, Run } from "./api.ts";
import { backoffMs, delay } from "./delay.ts";
import { readEvents } from "./event-stream.ts";
import { ApiError, ConnectionError } from "./errors.ts";
import type { CallOptions, Http } from "./http.ts";
import type { FetchResponse } from "./fetch.ts";
import { watchSilence } from "./watch-silence.ts";

/** What happens in a run: a line of its log, progress, a question (null when it is closed), and at last its end. */
export type RunEvent =
  | ({ type: "log" } & LogLine)
  | ({ type: "progress" } & NonNullable<Run["progress"]>)
  | { type: "question"; question: Question | null }
  | { type: "end"; run: Run };

/** The service sends a comment every ten seconds, so a connection without a byte for this long is dead. */
const maxSilenceMs = 45_000;

/**
 * The events of a run from its start until its end. A lost connection is opened again after the last line that was received,
 * so no line is missing or repeated. Throws `ConnectionError` after too many connections in a row that had no event or comment.
 */
export async function* followRun(
  http: Http,
  runId: string,
  { signal, headers, maxRetries }: CallOptions & { maxRetries: number },
): AsyncGenerator<RunEvent, void, undefined> {
  let lastEventId: string | undefined;
  for (let losses = 0; ; losses++) {
    const resume: Record<string, string> =
      lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const request = {
      params: { runId },
      signal,
      headers: { ...headers, accept: "text/event-stream", ...resume },
    };
    const body = await http("GET /runs/{runId}/logs", request, openEvents);
    let cause: unknown;
    try {
      for await (const { id, name, data } of readEvents(
        watchSilence(body, { maxSilenceMs, signal }),
      )) {
        losses = 0;
        lastEventId = id ?? lastEventId;
        const event = toRunEvent(name, data);
        if (event !== undefined) yield event;
        if (event?.type === "end") return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SyntaxError)
        throw new ConnectionError("An event is no JSON.", { cause: error });
      cause = error;
    }
    if (losses >= maxRetries) {
      throw new ConnectionError("The event stream ended before the run, without an event.", {
        cause,
      });
    }
    await delay(backoffMs(Math.min(losses, 5)), signal);
  }
}

/** The body of a response with events. Throws `ApiError` for another one, such as a proxy's page. */
async function openEvents(response: FetchResponse): Promise<ReadableStream<Uint8Array> | null> {
  if (/^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "")) {
    return response.body;
  }
  await response.body?.cancel().catch(() => undefined);
  throw new ApiError(response, undefined);
}

function toRunEvent(name: string, data: string): RunEvent | undefined {
  if (name === "log") return { type: "log", ...(JSON.parse(data) as LogLine) };
  if (name === "progress") {
    return { type: "progress", ...(JSON.parse(data) as NonNullable<Run["progress"]>) };
  }
  if (name === "question") {
    return { type: "question", question: JSON.parse(data) as Question | null };
  }
  return name === "end" ? { type: "end", run: JSON.parse(data) as Run } : undefined;
}
