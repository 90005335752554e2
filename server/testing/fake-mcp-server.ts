import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/** A tool as `tools/list` describes it. */
export type FakeTool = {
  name: string;
  title?: string;
  description?: string;
  inputSchema: object;
  outputSchema?: object;
  annotations?: object;
};

type Message = {
  id?: number | string;
  method: string;
  params?: { name?: string; arguments?: unknown; protocolVersion?: string };
};

/** A stateless MCP server (Streamable HTTP) whose tools a test changes. Its tools return their arguments. */
export type FakeMcpServer = {
  url: string;
  /** In the form of `EGRESS_PRIVATE_HOSTS`. */
  host: string;
  tools: FakeTool[];
  /** The arguments of each call. */
  calls: unknown[];
  /** The only accepted value of the header `authorization`; none if undefined. */
  authorization: string | undefined;
  isDown: boolean;
  close(): Promise<void>;
};

/** Starts a server with these tools on a free port. */
export async function startFakeMcpServer(tools: FakeTool[]): Promise<FakeMcpServer> {
  const http = createServer((request, response) => {
    void respond(request).then(({ status, body }) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const host = `127.0.0.1:${address.port}`;

  const server: FakeMcpServer = {
    url: `http://${host}/mcp`,
    host,
    tools,
    calls: [],
    authorization: undefined,
    isDown: false,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
  return server;

  async function respond(request: IncomingMessage): Promise<{ status: number; body?: object }> {
    const body = await text(request);
    if (server.isDown) return { status: 503, body: {} };
    const { authorization } = request.headers;
    if (server.authorization !== undefined && authorization !== server.authorization) {
      return { status: 401, body: { error: "unauthorized" } };
    }
    if (request.method !== "POST") return { status: 405 };
    const message = JSON.parse(body) as Message;
    if (message.id === undefined) return { status: 202 };
    const envelope = { jsonrpc: "2.0", id: message.id };
    const result = resultOf(message);
    return {
      status: 200,
      body:
        result === undefined
          ? { ...envelope, error: { code: -32601, message: "Method not found" } }
          : { ...envelope, result },
    };
  }

  function resultOf({ method, params }: Message): object | undefined {
    if (method === "initialize") {
      return {
        protocolVersion: params?.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "weather", title: "Weather service", version: "1.2.3" },
      };
    }
    if (method === "tools/list") return { tools: server.tools };
    if (method !== "tools/call") return undefined;
    server.calls.push(params?.arguments);
    const structuredContent = { echo: params?.arguments };
    return {
      content: [{ type: "text", text: JSON.stringify(params?.arguments) }],
      structuredContent,
    };
  }
}
