import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clients } from "./src/mcp-client.ts";
import type { McpClient } from "./src/mcp-client.ts";
import { proves } from "./src/proves.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const six = [
  "service_search_tools",
  "service_execute_tool",
  "service_get_skill",
  "service_manage_credentials",
  "service_upload",
  "service_check_run",
];
const adder = {
  title: "Add crystals",
  description: "Adds two counts of crystals.",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
};

let server: Server;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

const endpoint = () => ({ url: `${server.baseUrl}/api/mcp`, token: server.apiKey });

describe.each(Object.entries(clients))("%s", (_name, connect) => {
  let client: McpClient;

  beforeAll(async () => {
    client = await connect(endpoint());
  });
  afterAll(() => client?.close());

  test("sees the six tools", proves("mcp.six_brokers", "mcp.tools_list"), async () => {
    expect(await client.toolNames()).toEqual(six);
  });

  test(
    "finds and runs a tool that was created after it connected",
    proves("mcp.search_tools", "mcp.execute_tool", "mcp.revisions", "mcp.sse"),
    async () => {
      const name = await server.makeTool("export default ({ a, b }) => ({ sum: a + b })", adder);
      const found = await client.call("service_search_tools", {
        queries: ["add crystals"],
        limit: 20,
      });
      const matches = found.structured.results[0].matches as { name: string }[];
      expect(matches.map((match) => match.name)).toContain(name);
      const args = { tool_name: name, arguments: { a: 2, b: 3 } };
      const ran = await client.call("service_execute_tool", args);
      expect(ran.structured).toMatchObject({ status: "completed", output: { sum: 5 } });
      expect(JSON.parse(ran.text)).toEqual(ran.structured);
    },
  );

  test("receives the failure as text", proves("mcp.tool_failure"), async () => {
    const name = await server.makeTool("export default () => { throw new Error('no crystals') }");
    const args = { tool_name: name, arguments: {} };
    const failed = await client.call("service_execute_tool", args);
    expect(failed).toMatchObject({ isError: true, structured: undefined });
    expect(failed.text).toContain("no crystals");
  });
});

describe("Inspector", () => {
  const inspector = createRequire(import.meta.url).resolve(
    "@modelcontextprotocol/inspector/clients/launcher/build/index.js",
  );
  const inspect = async (...args: string[]) => {
    const { url, token } = endpoint();
    const header = `Authorization: Bearer ${token}`;
    const all = [inspector, "--cli", url, "--header", header, ...args];
    const env = { ...process.env, HOME: server.workDir };
    return promisify(execFile)(process.execPath, all, { env });
  };

  test.each(["http", "sse"])(
    "accepts the schemas over %s",
    { tags: ["nightly"] },
    async (transport) => {
      const args = ["--transport", transport, "--method", "tools/list", "--strict"];
      const { stdout, stderr } = await inspect(...args);
      expect(stderr).toBe("");
      const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
      expect(tools.map(({ name }) => name)).toEqual(six);
    },
  );

  test.each(["legacy", "modern"])("calls a tool in the %s era", async (era) => {
    const call = ["--method", "tools/call", "--tool-name", "service_search_tools"];
    const { stdout } = await inspect("--transport", "http", "--protocol-era", era, ...call);
    expect(JSON.parse(stdout)).toHaveProperty("structuredContent.results");
  });
});
