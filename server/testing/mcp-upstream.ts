import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

// Tests read messages of any shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Message = any;

/** A request that the server received. `message` is undefined for a request without a body. */
type Received = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  message: Message;
};

/** Answers one request. What it returns is sent as the result; it may also write the response itself. */
export type Answer = (received: Received, response: ServerResponse) => unknown;

/** An MCP server of a test, whose every byte the test decides. */
export type McpUpstream = {
  url: string;
  host: string;
  received: Received[];
  /** The methods of the messages, in the order in which they arrived. */
  methods(): string[];
  close(): void;
};

/** Starts a server that answers with `answer`. Notifications and responses get 202 unless it writes a response. */
export async function startMcpUpstream(answer: Answer): Promise<McpUpstream> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    response.on("error", () => {});
    void serve(request, response, received, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const host = `127.0.0.1:${address.port}`;
  return {
    url: `http://${host}/mcp`,
    host,
    received,
    methods: () => received.map(({ method, message }) => message?.method ?? method),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  all: Received[],
  answer: Answer,
): Promise<void> {
  const body = await text(request).catch(() => "");
  const { method = "", url: path = "", headers } = request;
  const one: Received = {
    method,
    path,
    headers,
    message: body === "" ? undefined : JSON.parse(body),
  };
  all.push(one);
  const result = await answer(one, response);
  if (response.headersSent) return;
  if (result !== undefined) sendJson(response, { id: one.message?.id, result });
  else if (method === "POST" && one.message?.id === undefined) response.writeHead(202).end();
  else if (method === "POST") {
    sendJson(response, {
      id: one.message.id,
      error: { code: -32601, message: "Method not found" },
    });
  } else response.writeHead(405).end();
}

/** Sends one message as JSON. */
export function sendJson(response: ServerResponse, message: object, headers = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
}

/** A message as a server-sent event. */
export function eventOf(message: object): string {
  return `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
}

/** The answer to `initialize`. */
export function initialized(protocolVersion = "2025-06-18") {
  return {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "upstream", version: "1" },
  };
}

/** Answers as a server without sessions and with these tools does. */
export function serverWith(tools: readonly object[]): Answer {
  return ({ message }) => {
    if (message?.method === "initialize") return initialized();
    return message?.method === "tools/list" ? { tools } : undefined;
  };
}
