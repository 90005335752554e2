import type { JsonObject } from "@toolhost/contract";

/** A stream of messages to one client, as server-sent events. */
export type EventStream = {
  response: Response;
  /** Sends a message. A client that leaves too much unread loses the stream. */
  send(message: JsonObject): void;
  /** Sends a message that may be left out when the client does not keep up. */
  offer(message: JsonObject): void;
  sendEvent(name: string, data: string): void;
  /** Keeps whoever stands between from closing a quiet stream. */
  sendComment(): void;
  close(): void;
};

export const eventStreamType = "text/event-stream";
const keepAliveMs = 15_000;
/** Bytes that wait for a client before messages that may be left out are. */
const usualBytes = 256 * 1024;
/** Bytes that may wait for a client at all, beyond the message that is sent: enough for the largest output. */
const maxBytes = 64 * 1024 * 1024;

/** Opens a stream. `onEnd` is called once, when either side ends it. */
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
      start: (opened) => {
        controller = opened;
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: usualBytes }),
  );
  const write = (text: string) => {
    if (!isOpen || controller === undefined) return;
    if ((controller.desiredSize ?? 0) < -maxBytes) {
      controller.error(new Error("The client does not read"));
      end();
      return;
    }
    controller.enqueue(encoder.encode(text));
  };
  const send = (message: JsonObject) =>
    write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  const sendComment = () => write(": still here\n\n");
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
  // Proxies would rather collect it.
  "x-accel-buffering": "no",
};
