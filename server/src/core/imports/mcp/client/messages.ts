/** A JSON object of unknown content. */
export type JsonObject = { [name: string]: unknown };

/** The server answered with a JSON-RPC error. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  /** The request that the error answers. */
  readonly id: unknown;

  constructor({ code, message, data }: JsonObject, id: unknown) {
    super(typeof message === "string" ? message.slice(0, 2_000) : "no message");
    this.id = id;
    this.code = typeof code === "number" ? code : 0;
    this.data = data;
  }
}

/** The server does not follow the protocol. */
export class ProtocolError extends Error {}

/** An error whose message is all there is to know: the frames of this code would say nothing about it. */
export class ToolError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "Error";
    this.stack = "";
  }
}

const maxBytes = 16 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;

/** Whether a value is an object and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The error in a refusal, whose body may be anything. */
export async function rpcErrorIn(response: Response): Promise<RpcError | undefined> {
  try {
    const value: unknown = JSON.parse(await textOf(response, maxErrorBytes));
    if (!isObject(value) || !isObject(value["error"])) return undefined;
    return new RpcError(value["error"], value["id"]);
  } catch {
    return undefined;
  }
}

/** Parses the JSON of a message. */
export type Parse = (text: string) => unknown;

/** All messages in a response, which is one message, a list of them, or a stream of events. */
export async function* messagesOf(response: Response, parse: Parse): AsyncGenerator<JsonObject> {
  if (isEventStream(response)) {
    yield* messagesIn(eventsOf(response), parse);
    return;
  }
  const value = parse(await textOf(response, maxBytes));
  for (const message of Array.isArray(value) ? value : [value]) yield messageFrom(message);
}

/** The messages among the events of a stream. */
export async function* messagesIn(
  events: AsyncGenerator<ServerEvent>,
  parse: Parse,
): AsyncGenerator<JsonObject> {
  try {
    for (;;) {
      const { value, done } = await events.next();
      if (done === true) return;
      // Servers start a stream with an empty event, so that it can be resumed.
      const isMessage = value.type === "message" && value.data !== "";
      if (isMessage) yield messageFrom(parse(value.data));
    }
  } finally {
    // Nothing else reads these events, except for those of the older transport, which never get here.
    events.return(undefined).catch(() => {});
  }
}

function messageFrom(value: unknown): JsonObject {
  if (!isObject(value)) throw new ProtocolError("The server sent something that is no message");
  return value;
}

/** Parses JSON. Throws `ProtocolError`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProtocolError("The server sent an answer that is not JSON");
  }
}

/** Whether a response is a stream of events. */
export function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
}

async function textOf(response: Response, most: number): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of chunksOf(response, most)) chunks.push(chunk);
  return chunks.join("");
}

async function* chunksOf({ body }: Response, most: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let left = most;
  for await (const bytes of body ?? []) {
    left -= bytes.byteLength;
    if (left < 0) throw new ProtocolError(`The server sent more than ${most} bytes`);
    yield decoder.decode(bytes, { stream: true });
  }
}

/** A server-sent event. */
export type ServerEvent = { type: string; data: string };

/** Parses server-sent events. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  let type = "message";
  let data: string[] = [];
  for await (const line of linesOf(response)) {
    const [, field, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === "") {
      if (data.length > 0) yield { type, data: data.join("\n") };
      type = "message";
      data = [];
    } else if (field === "data") data.push(value);
    else if (field === "event") type = value;
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  let partial = "";
  let endedWithReturn = false;
  for await (const chunk of chunksOf(response, maxBytes)) {
    const text = endedWithReturn && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    endedWithReturn = chunk === "" ? endedWithReturn : chunk.endsWith("\r");
    const [first = "", ...rest] = text.split(/\r\n|\n|\r/);
    partial += first;
    for (const line of rest) {
      yield partial;
      partial = line;
    }
  }
}
