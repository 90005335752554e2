import type { JsonObject } from "@toolhost/contract";

/** A stream of messages to one client, as server-sent events. */
export type EventStream = {
  response: Response;
  /** Sends a message. The stream fails if the client leaves too many bytes unread. */
  send(message: JsonObject): void;
  /** Sends a message that is dropped if the client does not keep up. */
  offer(message: JsonObject): void;
  sendEvent(name: string, data: string): void;
  /** Prevents proxies from closing an idle stream. */
  sendComment(): void;
  close(): void;
};

export const eventStreamType = "text/event-stream";
const keepAliveMs = 15_000;
/** Above this number of unread bytes, messages sent with `offer` are dropped. */
const softMaxBytes = 256 * 1024;
/** Above this number of unread bytes, the stream fails. The largest output of a tool fits. */
const maxBytes = 64 * 1024 * 1024;

/** Opens a stream. `onEnd` is called once, when either side closes it. */
export function openEventStream(onEnd: () => void): EventStream {
  const encoder = new TextEncoder();
  let isOpen = true;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(keepAlive);
    onEnd();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (created) => {
        controller = created;
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: softMaxBytes }),
  );
  const write = (text: string) => {
    if (!isOpen || controller === undefined) return;
    if ((controller.desiredSize ?? 0) < -maxBytes) {
      controller.error(new Error("The client does not read the stream"));
      end();
      return;
    }
    controller.enqueue(encoder.encode(text));
  };
  const send = (message: JsonObject) =>
    write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  const sendComment = () => write(": keep-alive\n\n");
  const keepAlive = setInterval(sendComment, keepAliveMs);
  keepAlive.unref();
  return {
    response: new Response(body, { headers: eventStreamHeaders }),
    send,
    offer: (message) => {
      if ((controller?.desiredSize ?? 0) > 0) send(message);
    },
    sendEvent: (name, data) => write(`event: ${name}\ndata: ${data}\n\n`),
    sendComment,
    close: () => {
      if (isOpen) controller?.close();
      end();
    },
  };
}

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": eventStreamType,
  "cache-control": "no-cache, no-transform",
  // Disables buffering in proxies.
  "x-accel-buffering": "no",
};
