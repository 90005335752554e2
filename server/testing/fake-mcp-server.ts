import { serverWith, startMcpUpstream } from "./mcp-upstream.ts";

/** A tool as `tools/list` describes it. */
export type FakeTool = {
  name: string;
  title?: string;
  description?: string;
  inputSchema: object;
  outputSchema?: object;
  annotations?: object;
};

/** An MCP server without sessions whose tools a test changes. Its tools return their arguments. */
export type FakeMcpServer = {
  url: string;
  /** In the form of `EGRESS_PRIVATE_HOSTS`. */
  host: string;
  tools: FakeTool[];
  /** The arguments of each call. */
  calls: unknown[];
  /** The only accepted value of the header `authorization`; any if undefined. */
  authorization: string | undefined;
  isDown: boolean;
  close(): void;
};

/** Starts a server with these tools on a free port. */
export async function startFakeMcpServer(tools: FakeTool[]): Promise<FakeMcpServer> {
  const upstream = await startMcpUpstream((request, response) => {
    const { authorization } = request.headers;
    if (server.isDown) return void response.writeHead(503).end();
    if (server.authorization !== undefined && authorization !== server.authorization) {
      return void response.writeHead(401).end();
    }
    if (request.message?.method !== "tools/call") {
      return serverWith(server.tools)(request, response);
    }
    const sent: unknown = request.message.params.arguments;
    server.calls.push(sent);
    return {
      content: [{ type: "text", text: JSON.stringify(sent) }],
      structuredContent: { echo: sent },
    };
  });
  const server: FakeMcpServer = {
    url: upstream.url,
    host: upstream.host,
    tools,
    calls: [],
    authorization: undefined,
    isDown: false,
    close: () => upstream.close(),
  };
  return server;
}
