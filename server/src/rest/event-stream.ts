import type { RunEvent } from "#core/runs";
import { ServiceError } from "#core/kernel";

/** The position of a log line as the event's ID, to resume from with `Last-Event-ID`. */
const idPattern = /^(\d{1,6})-(\d{1,9})$/;

/** Parses `Last-Event-ID`. Throws `invalid_request` for an ID that no event can have. */
export function readLastEventId(
  header: string | null,
): { attempt: number; number: number } | undefined {
  if (header === null || header === "") return undefined;
  const [, attempt, number] = idPattern.exec(header) ?? [];
  if (attempt === undefined || number === undefined) {
    throw new ServiceError("invalid_request", "The Last-Event-ID is not an ID of this stream.");
  }
  return { attempt: Number(attempt), number: Number(number) };
}

const reconnectMs = 1_000;

/**
 * The events of a run as server-sent events (WHATWG HTML, section 9.2): `log`, `progress`, `question` and `end`, each with
 * JSON as its data. Only log lines carry an ID. Nothing is read ahead of what the client consumes.
 */
export function toEventStream(
  events: AsyncGenerator<RunEvent>,
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
        const { done, value } = await events.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(toEvent(value)));
      },
      async cancel() {
        stop();
        await events.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function toEvent(event: RunEvent): string {
  if (event.kind === "log") {
    const { position, line } = event;
    return `id: ${position.attempt}-${position.number}\nevent: log\ndata: ${JSON.stringify(line)}\n\n`;
  }
  if (event.kind === "progress") {
    return `event: progress\ndata: ${JSON.stringify(event.progress)}\n\n`;
  }
  if (event.kind === "question") {
    return `event: question\ndata: ${JSON.stringify(event.question)}\n\n`;
  }
  if (event.kind === "end") return `event: end\ndata: ${JSON.stringify(event.run)}\n\n`;
  return ": still running\n\n";
}
