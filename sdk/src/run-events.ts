import type { LogLine, Run } from "./api.ts";
import { backoffMs, delay } from "./delay.ts";
import { readEvents } from "./event-stream.ts";
import { ConnectionError } from "./errors.ts";
import type { CallOptions, Http } from "./http.ts";

/** What happens in a run: a line of its log, progress, and at last its end. */
export type RunEvent =
  | ({ type: "log" } & LogLine)
  | ({ type: "progress" } & NonNullable<Run["progress"]>)
  | { type: "end"; run: Run };

/** The service sends a comment every ten seconds, so a connection without a byte for this long is dead. */
const maxSilenceMs = 45_000;

/**
 * The events of a run from its start until its end. A lost connection is opened again after the last line that was received,
 * so no line is missing or repeated.
 */
export async function* followRun(
  http: Http,
  runId: string,
  { signal, headers }: CallOptions,
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
    const response = await http("GET /runs/{runId}/logs", request, (opened) => opened);
    try {
      for await (const { id, name, data } of readEvents(watchSilence(response.body))) {
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
    }
    await delay(backoffMs(Math.min(losses, 5)), signal);
  }
}

function toRunEvent(name: string, data: string): RunEvent | undefined {
  if (name === "log") return { type: "log", ...(JSON.parse(data) as LogLine) };
  if (name === "progress") {
    return { type: "progress", ...(JSON.parse(data) as NonNullable<Run["progress"]>) };
  }
  return name === "end" ? { type: "end", run: JSON.parse(data) as Run } : undefined;
}

/** The same bytes, which end with an error if none arrive for too long. */
function watchSilence(body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> {
  const reader = (body ?? new Blob([]).stream()).getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(new ConnectionError("No data arrived."));
          reader.cancel().catch(() => undefined);
        }, maxSilenceMs);
      });
      try {
        const { done, value } = await Promise.race([reader.read(), silence]);
        if (done) controller.close();
        else controller.enqueue(value);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
