import type { OutgoingHttpHeaders } from "node:http";
import type { HttpClient } from "./http-client.ts";
import { field } from "./json.ts";

/** An MCP server over Streamable HTTP. */
export type McpEndpoint = { client: HttpClient; path: string; headers: OutgoingHttpHeaders };

export const mcpVersion = "2025-11-25";

/** The headers of each MCP request. */
export function mcpHeaders(token: string): OutgoingHttpHeaders {
  return {
    authorization: `Bearer ${token}`,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": mcpVersion,
  };
}

/** Calls a tool and returns the structured content of its result. Rejects without one. */
export async function callMcpTool(
  { client, path, headers }: McpEndpoint,
  id: number,
  params: { name: string; arguments: unknown },
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
  const { status, text } = await client.send("POST", path, headers, body);
  const content = status === 200 ? structuredContent(text) : undefined;
  if (content === undefined) throw new Error(`No structured content, status ${status}: ${text}`);
  return content;
}

/** Runs a tool of the service through the broker's tool. Rejects for any response but the correct sum. */
export function callServiceTool(
  client: HttpClient,
  apiKey: string,
  tool: string,
): () => Promise<void> {
  const endpoint = { client, path: "/api/mcp", headers: mcpHeaders(apiKey) };
  return sumCalls(async (a, b) => {
    const input = { tool_name: tool, arguments: { a, b } };
    const params = { name: "service_execute_tool", arguments: input };
    return field(field(await callMcpTool(endpoint, a, params), "output"), "sum");
  });
}

/** A call that adds other numbers each time, and rejects unless the sum is correct. */
export function sumCalls(add: (a: number, b: number) => Promise<unknown>): () => Promise<void> {
  let calls = 0;
  return async () => {
    calls += 1;
    const a = calls;
    const sum = await add(a, 1);
    if (sum !== a + 1) throw new Error(`Expected the sum ${a + 1}, got ${JSON.stringify(sum)}`);
  };
}

function structuredContent(text: string): unknown {
  return field(field(JSON.parse(text), "result"), "structuredContent");
}
