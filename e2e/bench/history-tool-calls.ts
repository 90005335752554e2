import { randomUUID } from "node:crypto";
import { createSyntheticText } from "../../server/testing/search/synthetic-tools.ts";
import type { HistoryCall } from "./history-calls.ts";
import type { HttpClient } from "./http-client.ts";
import { callMcpTool, mcpHeaders } from "./mcp-call.ts";
import { runCall } from "./service.ts";

const queryCount = 20;

/** The calls that are measured with few and with many tools. `tool` is a published tool that is run and saved. */
export function toolCalls(client: HttpClient, apiKey: string, tool: string): HistoryCall[] {
  const headers = { authorization: `Bearer ${apiKey}` };
  const get = (path: string) => async () => {
    const { status, text } = await client.send("GET", `/api/v1${path}`, headers);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  };
  const endpoint = { client, path: "/api/mcp", headers: mcpHeaders(apiKey) };
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  const nextQuery = queriesInTurn();
  return [
    { name: "`GET /me`, for comparison", call: get("/me") },
    { name: "a run", call: runCall(client, apiKey, tool) },
    { name: "`tools/list` over MCP", call: () => postMcp(endpoint, list) },
    {
      name: "`service_search_tools`",
      call: () => {
        const params = { name: "service_search_tools", arguments: { queries: [nextQuery()] } };
        return callMcpTool(endpoint, 1, params);
      },
    },
    {
      name: "`GET /skills/search`",
      call: () => get(`/skills/search?q=${encodeURIComponent(nextQuery())}`)(),
    },
    { name: "`GET /tools`, first page", call: get("/tools") },
    { name: "`GET /tools?q=`, 50 found", call: get("/tools?q=a") },
    { name: "`GET /tools?q=`, none found", call: get("/tools?q=%23%23%23") },
    { name: "`GET /tools/summaries`", call: get("/tools/summaries") },
    { name: "save a version", call: () => saveVersion(client, headers, tool) },
  ];
}

type Endpoint = Parameters<typeof callMcpTool>[0];

async function postMcp({ client, path, headers }: Endpoint, body: string): Promise<void> {
  const { status, text } = await client.send("POST", path, headers, body);
  if (status !== 200 || !text.includes('"tools"')) throw new Error(`MCP answered ${text}`);
}

/** Several queries of two or three words, the same ones in each measurement. */
function queriesInTurn(): () => string {
  const text = createSyntheticText();
  const queries = Array.from({ length: queryCount }, () => text.sentence(2, 3));
  let next = 0;
  return () => queries[next++ % queries.length] ?? "";
}

async function saveVersion(
  client: HttpClient,
  authorization: { authorization: string },
  tool: string,
): Promise<void> {
  const headers = { ...authorization, "idempotency-key": randomUUID() };
  const body = JSON.stringify({ description: `Adds two numbers, ${randomUUID()}.` });
  const { status, text } = await client.send("PATCH", `/api/v1/tools/${tool}`, headers, body);
  if (status !== 200) throw new Error(`The save answered ${status}: ${text}`);
}
