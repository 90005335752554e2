import { eventsOf, isEventStream, isObject, messagesIn, messagesOf } from "./messages.ts";
import { parseJson, ProtocolError, RpcError, rpcErrorIn } from "./messages.ts";
import type { JsonObject, Parse, ServerEvent } from "./messages.ts";

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: FetchInit) => Promise<Response>;
type FetchInit = {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: "manual";
};

/** What a server of an older revision remembers between requests. */
export type Session = { id: string | undefined; protocolVersion: string };

export type ClientOptions = {
  url: string;
  /** Streamable HTTP, or the older HTTP+SSE transport. */
  transport: "http" | "sse";
  protocolVersion: string;
  /** Sent with each request. */
  headers: Readonly<Record<string, string>>;
  fetch: Fetch;
  /** Instead of `JSON.parse`. */
  parse?: Parse;
  session?: Session | undefined;
  /** Answers `elicitation/create`. Without it, the server learns that the client asks no user. */
  elicit?: Elicit | undefined;
};

/** Asks a user what a server wants to know, and returns the result of the request. Never rejects. */
type Elicit = (params: JsonObject) => Promise<JsonObject>;

export type RequestOptions = {
  id?: string;
  headers?: Readonly<Record<string, string>>;
  onProgress?: (params: JsonObject) => void;
  /** Of the request whose progress is reported, if it is not this one. */
  progressToken?: string;
};

/** The server refused a request. `rpcError` is the JSON-RPC error in the response, if there is one. */
export class HttpError extends Error {
  readonly response: Response;
  readonly rpcError: RpcError | undefined;

  constructor(response: Response, rpcError: RpcError | undefined) {
    super(`The server responded with status ${response.status}`);
    this.response = response;
    this.rpcError = rpcError;
  }
}

const clientInfo = { name: "toolhost", version: "1" };
/** The revisions that start with `initialize`, newest first. Later ones have no sessions. */
export const legacyRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
export const modernRevision = "2026-07-28";
const maxMessages = 10_000;
const maxServerRequests = 20;

/** Speaks to one MCP server. Requests run one after the other. */
export class McpClient {
  readonly #options: ClientOptions;
  session: Session | undefined;
  /** Whether the server announced that its tools have changed. */
  hasListChanged = false;
  #stream: { events: AsyncGenerator<ServerEvent>; endpoint: string } | undefined;
  #requests = 0;
  #serverRequests = 0;
  /** The user answers one question at a time. */
  #lastAnswer: Promise<unknown> = Promise.resolve();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.session = options.session;
  }

  get isModern(): boolean {
    return this.#options.protocolVersion === modernRevision;
  }

  get #capabilities(): JsonObject {
    return this.#options.elicit === undefined ? {} : { elicitation: { form: {} } };
  }

  /** Starts a session. The server may choose an older revision than the one that was asked for. */
  async initialize(): Promise<JsonObject> {
    this.session = undefined;
    const { protocolVersion } = this.#options;
    const params = { protocolVersion, capabilities: this.#capabilities, clientInfo };
    let id: string | undefined;
    const result = await this.request("initialize", params, {}, (response) => {
      id = response.headers.get("mcp-session-id") ?? undefined;
    });
    const chosen = result["protocolVersion"];
    if (typeof chosen !== "string" || !legacyRevisions.includes(chosen)) {
      throw new ProtocolError("The server speaks a revision of MCP that is not supported");
    }
    this.session = { id, protocolVersion: chosen };
    const response = await this.#deliver({ method: "notifications/initialized" }, {});
    await response.body?.cancel();
    return result;
  }

  /** Sends a request and returns its result. Throws `HttpError`, `RpcError`, `ProtocolError` and what `fetch` throws. */
  async request(
    method: string,
    params: JsonObject,
    options: RequestOptions = {},
    onResponse?: (response: Response) => void,
  ): Promise<JsonObject> {
    this.#requests += 1;
    const id = options.id ?? this.#requests;
    const isStreamed = this.#options.transport === "sse";
    const message = { id, method, params: this.#withEnvelope(params) };
    if (isStreamed) await this.#openStream();
    const response = await this.#deliver(message, this.#headersOf(method, params, options));
    onResponse?.(response);
    const stream = this.#stream?.events;
    const parse = this.#options.parse ?? parseJson;
    const messages = stream === undefined ? messagesOf(response, parse) : messagesIn(stream, parse);
    if (stream !== undefined) await response.body?.cancel();
    try {
      for (let count = 0; count < maxMessages; count += 1) {
        const { value, done } = await messages.next();
        if (done === true) throw new ProtocolError("The server ended its answer before the result");
        if (typeof value["method"] === "string") this.#receive(value, id, options);
        else if (value["id"] === id) return resultOf(value);
        else if (isObject(value["error"]) && value["id"] == null) return resultOf(value);
      }
      throw new ProtocolError("The server sent too many messages before the result");
    } finally {
      // A stream of the older transport also serves the next request.
      if (stream === undefined) messages.return(undefined).catch(() => {});
    }
  }

  /** Ends the session. The server may ignore it. */
  async close(): Promise<void> {
    this.#stream?.events.return(undefined).catch(() => {});
    if (this.#options.transport !== "http" || this.session?.id === undefined) return;
    const response = await this.#fetch(this.#options.url, "DELETE", {});
    await response.body?.cancel();
  }

  /** Each request of the modern revision describes its client. */
  #withEnvelope(params: JsonObject): JsonObject {
    if (!this.isModern) return params;
    const prefix = "io.modelcontextprotocol/";
    const envelope = {
      [`${prefix}protocolVersion`]: modernRevision,
      [`${prefix}clientInfo`]: clientInfo,
      [`${prefix}clientCapabilities`]: this.#capabilities,
    };
    const meta = isObject(params["_meta"]) ? params["_meta"] : {};
    return { ...params, _meta: { ...meta, ...envelope } };
  }

  #headersOf(method: string, params: JsonObject, { headers }: RequestOptions) {
    if (!this.isModern) return headers ?? {};
    const { name } = params;
    const named = typeof name === "string" ? { "mcp-name": headerValueOf(name) } : {};
    return { ...headers, "mcp-method": method, ...named };
  }

  /** Handles a notification, or a request of the server. Each is answered, so that the server does not wait forever. */
  #receive(message: JsonObject, id: string | number, options: RequestOptions): void {
    const { onProgress, progressToken = id } = options;
    const params = isObject(message["params"]) ? message["params"] : {};
    if (message["id"] === undefined) {
      if (message["method"] === "notifications/tools/list_changed") this.hasListChanged = true;
      const isOurs = params["progressToken"] === progressToken;
      if (message["method"] === "notifications/progress" && isOurs) onProgress?.(params);
      return;
    }
    this.#serverRequests += 1;
    if (this.#serverRequests > maxServerRequests) {
      throw new ProtocolError("The server sent too many requests");
    }
    // Not awaited: a server that handles one message at a time would never finish the request.
    this.#answer(message["method"], params)
      .then((answer) => this.#deliver({ id: message["id"], ...answer }, {}))
      .then((response) => response.body?.cancel())
      .catch(() => {});
  }

  async #answer(method: unknown, params: JsonObject): Promise<JsonObject> {
    if (method === "ping") return { result: {} };
    const { elicit } = this.#options;
    if (method === "elicitation/create" && elicit !== undefined) {
      const answer = this.#lastAnswer.then(() => elicit(params));
      this.#lastAnswer = answer;
      return { result: await answer };
    }
    return { error: { code: -32601, message: "This client does not support this request" } };
  }

  async #deliver(message: JsonObject, headers: Record<string, string>): Promise<Response> {
    const url = this.#stream?.endpoint ?? this.#options.url;
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const response = await this.#fetch(
      url,
      "POST",
      {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body,
    );
    if (response.ok) return response;
    throw new HttpError(response, await rpcErrorIn(response));
  }

  #fetch(url: string, method: string, headers: Record<string, string>, body?: string) {
    const { headers: own, protocolVersion, fetch } = this.#options;
    const version = this.isModern ? protocolVersion : this.session?.protocolVersion;
    const all: Record<string, string> = { ...own, ...headers };
    if (version !== undefined) all["mcp-protocol-version"] = version;
    if (this.session?.id !== undefined) all["mcp-session-id"] = this.session.id;
    const init = { method, headers: all, redirect: "manual" } as const;
    return fetch(url, body === undefined ? init : { ...init, body });
  }

  /** Opens the stream of the older transport, whose first event names the address for messages. */
  async #openStream(): Promise<void> {
    if (this.#stream !== undefined) return;
    const { url } = this.#options;
    const response = await this.#fetch(url, "GET", { accept: "text/event-stream" });
    if (!response.ok) throw new HttpError(response, await rpcErrorIn(response));
    if (!isEventStream(response)) throw new ProtocolError("The server does not open a stream");
    const events = eventsOf(response);
    const { value } = await events.next();
    const endpoint = value?.type === "endpoint" ? URL.parse(value.data, url) : null;
    if (endpoint === null || endpoint.origin !== new URL(url).origin) {
      await events.return(undefined);
      throw new ProtocolError("The server names no address of its own for messages");
    }
    this.#stream = { events, endpoint: endpoint.href };
  }
}

/** A text as a header value: unchanged if it is plain ASCII, otherwise in Base64 as the specification defines. */
export function headerValueOf(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  if (isPlain && !/^=\?base64\?.*\?=$/.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

function resultOf({ id, error, result }: JsonObject): JsonObject {
  if (isObject(error)) throw new RpcError(error, id);
  if (!isObject(result)) throw new ProtocolError("The server sent an answer without a result");
  return result;
}
