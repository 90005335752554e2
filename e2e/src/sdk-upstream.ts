import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

/** How the server keeps state: sessions by header, none at all, or the stream of the older transport. */
export type UpstreamKind = "sessions" | "stateless" | "sse";

type Transport = StreamableHTTPServerTransport | SSEServerTransport;

/** Starts a server with the tools `add`, `work` and `picture`. */
export async function startSdkUpstream(kind: UpstreamKind): Promise<SdkUpstream> {
  const upstream = new SdkUpstream(kind);
  await upstream.listen();
  return upstream;
}

/** An MCP server that is made with the official SDK. */
export class SdkUpstream {
  /** Tokens that are accepted. Any request is accepted while there are none. */
  readonly tokens = new Set<string>();
  sessions = 0;
  cancelled = 0;
  host = "";
  readonly #kind: UpstreamKind;
  readonly #transports = new Map<string, Transport>();
  readonly #server: Server;

  constructor(kind: UpstreamKind) {
    this.#kind = kind;
    this.#server = createServer((request, response) => {
      void this.#serve(request, response).catch(() => response.destroy());
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The server has no port");
    this.host = `127.0.0.1:${address.port}`;
  }

  get url(): string {
    return `http://${this.host}/${this.#kind === "sse" ? "sse" : "mcp"}`;
  }

  /** Ends all sessions, as a restart does. */
  forgetSessions(): void {
    this.#transports.clear();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
    if (this.tokens.size > 0 && !this.tokens.has(token)) {
      const metadata = `http://${this.host}/.well-known/oauth-protected-resource`;
      const challenge = `Bearer resource_metadata="${metadata}"`;
      response.writeHead(401, { "www-authenticate": challenge }).end();
    } else if (this.#kind === "sse") await this.#serveStream(request, response);
    else await this.#serveHttp(request, response);
  }

  async #serveHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? this.#transports.get(id) : undefined;
    if (id !== undefined && known === undefined) {
      response.writeHead(404).end();
      return;
    }
    const isKnown = known instanceof StreamableHTTPServerTransport;
    const transport = isKnown ? known : await this.#openHttp();
    await transport.handleRequest(request, response);
  }

  async #openHttp(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport(
      this.#kind === "stateless"
        ? {}
        : {
            sessionIdGenerator: () => randomUUID(),
            onsessioninitialized: (id) => {
              this.sessions += 1;
              this.#transports.set(id, transport);
            },
          },
    );
    await toolServer(this).connect(transport);
    return transport;
  }

  async #serveStream(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.url);
    if (request.method === "GET" && url.pathname === "/sse") {
      const transport = new SSEServerTransport("/messages", response);
      this.sessions += 1;
      this.#transports.set(transport.sessionId, transport);
      await toolServer(this).connect(transport);
      return;
    }
    const transport = this.#transports.get(url.searchParams.get("sessionId") ?? "");
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
  const data = Buffer.from("picture").toString("base64");
  server.registerTool("picture", { description: "Draws a picture." }, () => ({
    content: [{ type: "image", data, mimeType: "image/png" }],
  }));
  return server;
}
