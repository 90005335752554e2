import type { RunNews } from "#core/runs";
import { ServiceError } from "#core/kernel";

/** The position of a log line as the ID of its event, for resuming with `Last-Event-ID`. */
const idPattern = /^(\d{1,6})-(\d{1,9})$/;

/** Parses `Last-Event-ID`. Throws `invalid_request` for an ID that no event can have. */
export function readLastEventId(
  header: string | null,
): { attempt: number; number: number } | undefined {
  if (header === null || header === "") return undefined;
  const [, attempt, number] = idPattern.exec(header) ?? [];
  if (attempt === undefined || number === undefined) {
    throw new ServiceError(
      "invalid_request",
      "The Last-Event-ID is not an event ID of this stream.",
    );
  }
  return { attempt: Number(attempt), number: Number(number) };
}

const reconnectMs = 1_000;

/**
 * Streams a run as server-sent events (WHATWG HTML, section 9.2): `log`, `progress` and `end`, each with JSON data. Only log
 * lines have an ID. Reads no further ahead than the client does.
 */
export function toEventStream(
  update: AsyncGenerator<RunNews>,
  stop: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOpen = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isOpen) {
          isOpen = true;
          controller.enqueue(encoder.encode(`retry: ${reconnectMs}\n\n`));
          return;
        }
        const { done, value } = await update.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(toEvent(value)));
      },
      async cancel() {
        stop();
        await update.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function toEvent(update: RunNews): string {
  if (update.kind === "log") {
    const { place, line } = update;
    return `id: ${place.attempt}-${place.number}\nevent: log\ndata: ${JSON.stringify(line)}\n\n`;
  }
  if (update.kind === "progress") {
    return `event: progress\ndata: ${JSON.stringify(update.progress)}\n\n`;
  }
  if (update.kind === "end") return `event: end\ndata: ${JSON.stringify(update.run)}\n\n`;
  return ": still running\n\n";
}
