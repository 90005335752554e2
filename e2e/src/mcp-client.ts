import { createRequire } from "node:module";
import { createMCPClient } from "@ai-sdk/mcp";
import {
  Client as NewClient,
  SSEClientTransport as NewSse,
  StreamableHTTPClientTransport as NewStreamable,
} from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as Sse1 } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Streamable1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client as OldClient } from "mcp-sdk-1-10/client/index.js";
import { SSEClientTransport as OldSse } from "mcp-sdk-1-10/client/sse.js";
import type { Transport as OldTransport } from "mcp-sdk-1-10/shared/transport.js";
import { StreamableHTTPClientTransport as OldStreamable } from "mcp-sdk-1-10/client/streamableHttp.js";

/** The common interface of all client libraries. */
export type McpClient = {
  toolNames(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
};

type ToolAnswer = {
  text: string;
  // Responses have many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  structured: any;
  isError: boolean;
};

type Endpoint = { url: string; token: string };
type Connect = (endpoint: Endpoint) => Promise<McpClient>;

const self = { name: "e2e", version: "1.0.0" };
const bearer = ({ token }: Endpoint) => ({ headers: { authorization: `Bearer ${token}` } });

/** The common interface of the official libraries. */
type Sdk = {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
};

function adapt(client: Sdk): McpClient {
  return {
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => read(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

function read(result: unknown): ToolAnswer {
  const { content, structuredContent, isError } = result as {
    content: { text?: string }[];
    structuredContent?: unknown;
    isError?: boolean;
  };
  const text = content.map((part) => part.text ?? "").join("\n");
  return { text, structured: structuredContent, isError: isError === true };
}

const newest =
  (mode: "auto" | "legacy" | { pin: "2026-07-28" }): Connect =>
  async (endpoint) => {
    const client = new NewClient(self, { versionNegotiation: { mode } });
    const options = { requestInit: bearer(endpoint) };
    await client.connect(new NewStreamable(new URL(endpoint.url), options));
    return adapt(client);
  };

const mcpRemote = createRequire(import.meta.url).resolve("mcp-remote/dist/proxy.js");

/** The tested clients with their transports. */
export const clients: Readonly<Record<string, Connect>> = {
  "client 2.4, auto": newest("auto"),
  "client 2.4, 2026-07-28": newest({ pin: "2026-07-28" }),
  "client 2.4, with initialize": newest("legacy"),
  "client 2.4, SSE": async (endpoint) => {
    const client = new NewClient(self);
    await client.connect(new NewSse(new URL(endpoint.url), { requestInit: bearer(endpoint) }));
    return adapt(client);
  },
  "SDK 1.32, Streamable HTTP": async (endpoint) => {
    const client = new Client1(self);
    await client.connect(new Streamable1(new URL(endpoint.url), { requestInit: bearer(endpoint) }));
    return adapt(client);
  },
  "SDK 1.32, SSE": async (endpoint) => {
    const client = new Client1(self);
    await client.connect(new Sse1(new URL(endpoint.url), { requestInit: bearer(endpoint) }));
    return adapt(client);
  },
  "SDK 1.10, Streamable HTTP": async (endpoint) => {
    const client = new OldClient(self);
    const transport = new OldStreamable(new URL(endpoint.url), { requestInit: bearer(endpoint) });
    // Its types contradict each other with `exactOptionalPropertyTypes`.
    await client.connect(transport as OldTransport);
    return adapt(client);
  },
  "SDK 1.10, SSE": async (endpoint) => {
    const client = new OldClient(self);
    const { headers } = bearer(endpoint);
    await client.connect(
      new OldSse(new URL(endpoint.url), {
        requestInit: { headers },
        // This client sends no headers with the stream.
        eventSourceInit: {
          fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...headers } }),
        },
      }),
    );
    return adapt(client);
  },
  "mcp-remote": async (endpoint) => {
    const client = new Client1(self);
    const header = `Authorization: Bearer ${endpoint.token}`;
    const args = [mcpRemote, endpoint.url, "--transport", "http-only", "--header", header];
    const stderr = "ignore" as const;
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr }));
    return adapt(client);
  },
  "AI SDK, http": (endpoint) => connectAiSdk(endpoint, "http"),
  "AI SDK, sse": (endpoint) => connectAiSdk(endpoint, "sse"),
};

async function connectAiSdk(endpoint: Endpoint, type: "http" | "sse"): Promise<McpClient> {
  // It names the newest revision even for the oldest transport, so only the path distinguishes them.
  const url = type === "sse" ? `${endpoint.url}/sse` : endpoint.url;
  const transport = { type, url, ...bearer(endpoint) };
  const client = await createMCPClient({ transport });
  const tools = await client.tools();
  return {
    toolNames: async () => Object.keys(tools),
    call: async (name, args) => {
      const options = { toolCallId: "call", messages: [], context: {} };
      return read(await tools[name]?.execute(args, options));
    },
    close: () => client.close(),
  };
}
