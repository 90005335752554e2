import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

/** How the server keeps state: sessions by header, none at all, or the stream of the older transport. */
export type UpstreamKind = "sessions" | "stateless" | "sse";

/** An MCP server that is made with the official SDK. */
export type SdkUpstream = {
  url: string;
  host: string;
  /** Tokens that are accepted. Any request is accepted while there are none. */
  tokens: Set<string>;
  sessions: number;
  cancelled: number;
  /** Ends all sessions, as a restart does. */
  forgetSessions(): void;
  close(): void;
};

type Transport = StreamableHTTPServerTransport | SSEServerTransport;

/** Starts a server with the tools `add`, `work` and `picture`. */
export async function startSdkUpstream(kind: UpstreamKind): Promise<SdkUpstream> {
  const sessions = new Map<string, Transport>();
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const host = `127.0.0.1:${address.port}`;
  const upstream: SdkUpstream = {
    url: `http://${host}/${kind === "sse" ? "sse" : "mcp"}`,
    host,
    tokens: new Set(),
    sessions: 0,
    cancelled: 0,
    forgetSessions: () => sessions.clear(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return upstream;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
    if (upstream.tokens.size > 0 && !upstream.tokens.has(token)) {
      const challenge = `Bearer resource_metadata="http://${host}/.well-known/oauth-protected-resource"`;
      response.writeHead(401, { "www-authenticate": challenge }).end();
    } else if (kind === "sse") await serveStream(request, response);
    else await serveHttp(request, response);
  }

  async function serveHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) {
      response.writeHead(404).end();
      return;
    }
    const transport = known instanceof StreamableHTTPServerTransport ? known : await openHttp();
    await transport.handleRequest(request, response);
  }

  async function openHttp(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport(
      kind === "stateless"
        ? {}
        : {
            sessionIdGenerator: () => randomUUID(),
            onsessioninitialized: (id) => {
              upstream.sessions += 1;
              sessions.set(id, transport);
            },
          },
    );
    // Its types contradict each other with `exactOptionalPropertyTypes`.
    await toolServer(upstream).connect(transport as Parameters<McpServer["connect"]>[0]);
    return transport;
  }

  async function serveStream(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", upstream.url);
    if (request.method === "GET" && url.pathname === "/sse") {
      const transport = new SSEServerTransport("/messages", response);
      upstream.sessions += 1;
      sessions.set(transport.sessionId, transport);
      await toolServer(upstream).connect(transport);
      return;
    }
    const transport = sessions.get(url.searchParams.get("sessionId") ?? "");
    if (transport instanceof SSEServerTransport) {
      await transport.handlePostMessage(request, response);
    } else response.writeHead(405).end();
  }
}

function toolServer(upstream: SdkUpstream): McpServer {
  const server = new McpServer({ name: "sdk upstream", version: "1.0.0" });
  server.registerTool(
    "add",
    {
      title: "Add two amounts",
      description: "Adds two amounts of the upstream.",
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => ({
      content: [{ type: "text", text: JSON.stringify({ sum: a + b }) }],
      structuredContent: { sum: a + b },
    }),
  );
  server.registerTool(
    "work",
    { description: "Works in steps of the upstream.", inputSchema: { ms: z.number() } },
    async ({ ms }, { _meta: meta, sendNotification, signal }) => {
      signal.addEventListener("abort", () => (upstream.cancelled += 1));
      const progressToken = meta?.progressToken;
      if (progressToken !== undefined) {
        const params = { progressToken, progress: 1, total: 4, message: "a quarter" };
        await sendNotification({ method: "notifications/progress", params });
      }
      await new Promise((resolve) => setTimeout(resolve, ms));
      return { content: [{ type: "text", text: "worked" }] };
    },
  );
  server.registerTool("picture", { description: "Draws a picture." }, () => ({
    content: [
      { type: "image", data: Buffer.from("picture").toString("base64"), mimeType: "image/png" },
    ],
  }));
  return server;
}
