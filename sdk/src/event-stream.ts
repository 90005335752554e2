/** A server-sent event. */
export type ServerEvent = { id: string | undefined; name: string; data: string };

/** Reads server-sent events (WHATWG HTML, section 9.2). A comment, which shows that the service is alive, is one without a name. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  let event: Partial<ServerEvent> = {};
  for await (const line of readLines(body)) {
    if (line === "") {
      if (event.data !== undefined) {
        yield { id: event.id, name: event.name ?? "message", data: event.data };
      }
      event = {};
      continue;
    }
    if (line.startsWith(":")) yield { id: undefined, name: "", data: "" };
    const [, field = "", value = ""] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (field === "id") event.id = value;
    if (field === "event") event.name = value;
    if (field === "data") event.data = event.data === undefined ? value : `${event.data}\n${value}`;
  }
}

/** Safari cannot iterate over a stream, so its reader is used. */
async function* readLines(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let parts: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = decoder.decode(value, { stream: true }).split("\n");
      const last = lines.pop() ?? "";
      for (const line of lines) {
        yield [...parts, line].join("").replace(/\r$/, "");
        parts = [];
      }
      if (last !== "") parts.push(last);
    }
  } finally {
    // The consumer may stop before the end.
    await reader.cancel().catch(() => undefined);
  }
}
