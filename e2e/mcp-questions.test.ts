import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createImporter } from "./src/import-tools.ts";
import type { Importer } from "./src/import-tools.ts";
import { createRpc } from "./src/mcp-http.ts";
import { startEverything } from "./src/npm-upstream.ts";
import type { NpmUpstream } from "./src/npm-upstream.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

let everything: NpmUpstream;
let server: Server;
let importer: Importer;
let imported: string;
let twice: string;

beforeAll(async () => {
  everything = await startEverything("streamableHttp");
  server = await startServer({ EGRESS_PRIVATE_HOSTS: everything.host });
  importer = createImporter(server, [everything.host]);
  const listing = await importer.list(everything.url);
  imported = await importer.save(everything.url, listing, "trigger-elicitation-request");
  twice = await server.makeTool(`export default async (input, ctx) => {
    const schema = { type: "object", properties: { city: { type: "string", minLength: 2 } }, required: ["city"] };
    const answers = [];
    for (const message of ["Where to?", "And then?"]) answers.push(await ctx.ask({ message, schema }));
    return { answers };
  }`);
});
afterAll(async () => {
  await importer?.close();
  await server?.stop();
  await everything?.close();
});

type Mode = "legacy" | { pin: "2026-07-28" };
type Asked = { message: string };
type Reply = { action: "accept" | "decline" | "cancel"; content?: Record<string, string | number> };

/** The official client, whose user replies to each question. */
async function connect(mode: Mode, reply: ((asked: Asked) => Reply) | undefined) {
  const capabilities = reply === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client(
    { name: "e2e", version: "1" },
    { capabilities, versionNegotiation: { mode } },
  );
  if (reply !== undefined) {
    client.setRequestHandler("elicitation/create", (request) => reply(request.params as Asked));
  }
  const headers = { authorization: `Bearer ${server.apiKey}` };
  const url = new URL(`${server.baseUrl}/api/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const call = async (name: string, args: Record<string, unknown>) => {
    const { structuredContent } = await client.callTool({ name, arguments: args });
    // Results have any shape.
    // oxlint-disable-next-line typescript/no-explicit-any
    return structuredContent as any;
  };
  return { call, close: () => client.close() };
}

const run = (name: string) => ({ tool_name: name, arguments: {} });

describe.each([
  ["2025-11-25", "legacy" as const],
  ["2026-07-28", { pin: "2026-07-28" } as const],
])("the official client with %s", (_, mode) => {
  test("answers the question of an MCP server behind the service", async () => {
    const asked: string[] = [];
    const { call, close } = await connect(mode, ({ message }) => {
      asked.push(message);
      return { action: "accept", content: { name: "Ada", integer: 7 } };
    });
    const { status, output } = await call("service_execute_tool", run(imported));
    expect(status).toBe("completed");
    expect(output.text).toContain("Name: Ada");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^The tool ".*" \(\w+\) asks: /);
    expect(asked[0]).toContain(
      `The MCP server ${everything.host} asks: Please provide inputs for the following fields:`,
    );
    await close();
  });

  test("answers several questions, and those of a tool called by its name", async () => {
    const replies: Reply[] = [
      { action: "accept", content: { city: "Oslo" } },
      { action: "decline" },
    ];
    const { call, close } = await connect(mode, () => replies.shift() ?? { action: "cancel" });
    const { output } = await call(twice, {});
    expect(output.answers).toEqual([
      { action: "accept", content: { city: "Oslo" } },
      { action: "decline" },
    ]);
    await close();
  });

  test("learns what the tool asks without the capability, and answers with service_check_run", async () => {
    const { call, close } = await connect(mode, undefined);
    const first = await call("service_execute_tool", run(twice));
    expect(first).toMatchObject({ status: "running", question: { message: "Where to?" } });
    expect(first.hint).toContain("service_check_run");
    const answer = { question_id: first.question.id, action: "accept", content: { city: "Oslo" } };
    const second = await call("service_check_run", { run_id: first.runId, answer });
    expect(second.question.message).toBe("And then?");
    const decline = { question_id: second.question.id, action: "decline" };
    const ended = await call("service_check_run", { run_id: first.runId, answer: decline });
    expect(ended.output.answers).toHaveLength(2);
    await close();
  });
});

test("cancels the run when a modern client closes the connection of a repeated call", async () => {
  const waiting = await server.makeTool(`export default async (input, ctx) => {
    const schema = { type: "object", properties: {} };
    await ctx.ask({ message: "Go?", schema });
    await new Promise((done) => setTimeout(done, 60_000));
  }`);
  const { call, close } = await connect({ pin: "2026-07-28" }, () => {
    setTimeout(() => void close(), 1_000);
    return { action: "accept", content: {} };
  });
  await call(waiting, {}).catch(() => undefined);
  await until("the run is cancelled", 10_000, async () => {
    const [latest] = (await server.call("GET", `/runs?toolName=${waiting}`)).body;
    return latest.status === "cancelled";
  });
});

test("explains an invalid and a late answer of service_check_run", async () => {
  const rpc = createRpc(() => server.baseUrl, server.apiKey);
  const { runId, question } = (await rpc.call("service_execute_tool", run(twice)))
    .structuredContent;
  const reply = (answer: object) => rpc.call("service_check_run", { run_id: runId, answer });
  const invalid = await reply({
    question_id: question.id,
    action: "accept",
    content: { city: "x" },
  });
  expect(invalid).toMatchObject({ isError: true });
  expect(invalid.content[0].text).toContain("/city");
  const late = await reply({ question_id: "another", action: "decline" });
  expect(late.content[0].text).toContain("without an answer");
  await server.call("POST", `/runs/${runId}/cancel`);
});
