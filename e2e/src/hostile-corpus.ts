import { hostileBodies } from "./hostile-bodies.ts";
import { hostileDefinitions } from "./hostile-definitions.ts";
import { hostileSchemas } from "./hostile-schemas.ts";
import { hostileDraft, many, named, text } from "./hostile-values.ts";

/** A request within the size limits that is designed to take long. */
export type HostileRequest = {
  name: string;
  method: string;
  path: string;
  body?: string;
  headers?: Record<string, string>;
};

/** Queries with the maximum length of a URL. */
const queries: Record<string, string> = {
  "ten long searches": many(10, (index) => `q=${text(`w${index}abcdefg `, 800)}`)
    .join("&")
    .replaceAll(" ", "+"),
  "ten searches of mistyped words": many(10, () => `q=${text("zzzzqqqq ", 600)}`)
    .join("&")
    .replaceAll(" ", "+"),
  "searches of marks": many(10, () => `q=${encodeURIComponent("\ufdfa".repeat(80))}`).join("&"),
  "searches of capitals": many(10, () => `q=${text("aA", 800)}`).join("&"),
  "thousands of parameters": many(1_300, (index) => `p${index}=`).join("&"),
  "the same parameter": many(2_500, () => "q=a").join("&"),
};

/** All requests that need no saved tool. `isShort` sends each body to one route only. */
export function hostileRequests(isShort: boolean): HostileRequest[] {
  const drafts = [
    ...Object.entries(hostileSchemas).map(
      ([name, schema]) => [name, hostileDraft(schema)] as const,
    ),
    ...Object.entries(hostileDefinitions),
  ];
  return [
    ...drafts.map(([name, draft]) =>
      post(`save a tool: ${name}`, "/api/v1/tools", JSON.stringify(draft)),
    ),
    ...drafts.map(([name, definition]) =>
      post(`a draft: ${name}`, "/api/v1/drafts", JSON.stringify({ definition })),
    ),
    ...Object.entries(hostileBodies).flatMap(([name, body], position) => {
      const routes = requestsOf(name, body);
      const [chosen] = routes.slice(position % routes.length);
      return isShort && chosen !== undefined ? [chosen] : routes;
    }),
    ...queryRequests(),
    ...mcpRequests(),
    ...formRequests(),
  ];
}

function post(name: string, path: string, body: string): HostileRequest {
  return { name, method: "POST", path, body };
}

function mcp(name: string, body: string): HostileRequest {
  const headers = { accept: "application/json, text/event-stream" };
  return { ...post(`MCP: ${name}`, "/api/mcp", body), headers };
}

function call(method: string, params: unknown, id = 1): object {
  return { jsonrpc: "2.0", id, method, params };
}

function callTool(name: string, args: unknown, id = 1): object {
  return call("tools/call", { name, arguments: args }, id);
}

/** Requests that send one body to every kind of route. */
function requestsOf(name: string, body: string): HostileRequest[] {
  const asText = JSON.stringify({ tool_name: "x", arguments: body }).slice(0, 500_000);
  return [
    post(`a tool of ${name}`, "/api/v1/tools", body),
    post(`a draft of ${name}`, "/api/v1/drafts", `{"definition":{"a":${body}}}`),
    post(`a credential of ${name}`, "/api/v1/credentials", body),
    post(`an API key of ${name}`, "/api/v1/api-keys", body),
    mcp(name, body),
    mcp(
      `arguments of ${name}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"service_execute_tool","arguments":{"tool_name":"x","arguments":{"a":${body}}}}}`,
    ),
    mcp(`arguments in a text of ${name}`, JSON.stringify(callTool("service_execute_tool", asText))),
    post(`sign-in of ${name}`, "/api/auth/sign-in/email", body),
    post(`registration of ${name}`, "/oauth/register", body),
  ];
}

function get(name: string, path: string): HostileRequest {
  return { name, method: "GET", path };
}

function queryRequests(): HostileRequest[] {
  return Object.entries(queries).flatMap(([name, query]) => [
    get(`search: ${name}`, `/api/v1/skills/search?${query}`),
    get(`list: ${name}`, `/api/v1/tools?${query.slice(0, 7_000)}`),
    get(`runs: ${name}`, `/api/v1/runs?${query.slice(0, 7_000)}`),
    get(
      `audit: ${name}`,
      `/api/v1/audit-events?${query.slice(0, 7_000).replaceAll("q=", "target=")}`,
    ),
  ]);
}

function long(letters: string): string[] {
  return many(10, (index) => text(`w${index}${letters} `, 1_990));
}

function mcpRequests(): HostileRequest[] {
  const search = (args: unknown, id = 1) => callTool("service_search_tools", args, id);
  return [
    mcp("a batch", JSON.stringify(many(10_000, (index) => call("ping", {}, index)))),
    mcp(
      "a batch of searches",
      JSON.stringify(many(50, (index) => search({ queries: long("abc def") }, index))),
    ),
    mcp("ten long searches", JSON.stringify(search({ queries: long("bcdefgh") }))),
    mcp(
      "searches that grow",
      JSON.stringify(search({ queries: many(10, () => "\ufdfa".repeat(1_990)) })),
    ),
    mcp("unknown arguments", JSON.stringify(search(named(80_000, () => 1)))),
    mcp("a long method", JSON.stringify(call("x".repeat(1_000_000), {}))),
    mcp("a long tool's name", JSON.stringify(callTool("x_".repeat(500_000), {}))),
  ];
}

function form(name: string, body: string): HostileRequest {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return { ...post(name, "/oauth/token", body), headers };
}

function formRequests(): HostileRequest[] {
  return [
    form("many form fields", many(90_000, (index) => `a${index}=1`).join("&")),
    form("a long form field", `grant_type=${"%41".repeat(330_000)}`),
  ];
}
