import { api } from "#api/client";

/** A server-sent event (HTML, section 9.2.6). */
export type StreamEvent = { id: string | undefined; name: string; data: unknown };

/**
 * Reads an event stream of the REST API until it ends. Unlike `EventSource`, it sends the workspace header. Throws `ApiProblem`
 * for an error response, and the error of a broken connection.
 */
export async function* readEvents(
  runId: string,
  signal: AbortSignal,
  lastEventId?: string,
): AsyncGenerator<StreamEvent> {
  const headers = {
    accept: "text/event-stream",
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
  };
  const answer = await api.fetch("GET /runs/{runId}/logs", { params: { runId }, headers, signal });
  if (answer.body === null) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = readEvent(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    // A reader that stops early closes the connection.
    reader.cancel().catch(() => undefined);
  }
}

function readEvent(block: string): StreamEvent | undefined {
  let name = "message";
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ""] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    if (field === "event") name = value;
    if (field === "id") id = value;
    if (field === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { id, name, data: JSON.parse(data.join("\n")) };
}
