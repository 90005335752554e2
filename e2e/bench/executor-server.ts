import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { join } from "node:path";
import { freePort } from "../src/free-port.ts";
import { endOnExit, stopChild } from "./cleanup.ts";
import { openClient } from "./http-client.ts";
import type { HttpClient } from "./http-client.ts";
import { field } from "./json.ts";
import { callMcpTool, mcpHeaders, mcpVersion, sumCalls } from "./mcp-call.ts";
import type { McpEndpoint } from "./mcp-call.ts";

/** The npm package `executor` as a separate process that serves MCP over HTTP. */
export type ExecutorServer = {
  pid: number;
  /** Runs code that adds two numbers, with its tool `execute`. */
  callCode: () => Promise<void>;
  /** Runs code that calls a tool of an integration: an API in this process, which adds two numbers. */
  callTool: () => Promise<void>;
  stop: () => Promise<void>;
};

const startMs = 60_000;
const stopMs = 10_000;
const integration = "bench";
/** How to install the package into a folder. */
export const installExecutor = (folder: string) => `npm install --prefix ${folder} executor@1.5.9`;

const respondWithSum: Parameters<typeof createServer>[1] = (request, response) => {
  const { searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const sum = Number(searchParams.get("a")) + Number(searchParams.get("b"));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ sum }));
};

/** Whether a folder has an installed copy of the package. */
export function hasExecutor(folder: string): boolean {
  return existsSync(programIn(folder));
}

/** Starts the copy of the package that `npm install --prefix` put into a folder, with its data in `dataDir`. */
export async function startExecutor(folder: string, dataDir: string): Promise<ExecutorServer> {
  const api = createServer(respondWithSum);
  const token = randomUUID();
  const port = await freePort();
  const child = spawnExecutor(programIn(folder), dataDir, [
    "--port",
    `${port}`,
    "--auth-token",
    token,
  ]);
  const client = openClient(port);
  const stop = async () => {
    client.close();
    api.close();
    api.closeAllConnections();
    await stopChild(child, stopMs);
  };
  try {
    await untilReady(child);
    const session = await openSession(client, token);
    await addIntegration(session, token, await listen(api));
    if (child.pid === undefined) throw new Error("Executor has no pid");
    return { pid: child.pid, ...calls(session), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function programIn(folder: string): string {
  return join(folder, "node_modules/executor/bin/executor");
}

function calls(session: McpEndpoint): Pick<ExecutorServer, "callCode" | "callTool"> {
  return {
    callCode: sumCalls(async (a, b) =>
      field(await execute(session, a, `return { sum: ${a} + ${b} }`), "sum"),
    ),
    callTool: sumCalls(async (a, b) => {
      const code = `return await tools.${integration}.org.main.sum.getSum({ a: ${a}, b: ${b} })`;
      return field(field(await execute(session, a, code), "data"), "sum");
    }),
  };
}

/** Runs code and returns its result. Rejects unless it completes. Calls of a session at the same time need different IDs. */
async function execute(session: McpEndpoint, id: number, code: string): Promise<unknown> {
  const content = await callMcpTool(session, id, { name: "execute", arguments: { code } });
  if (field(content, "status") === "completed") return field(content, "result");
  throw new Error(`Executor did not complete the code: ${JSON.stringify(content)}`);
}

async function openSession(client: HttpClient, token: string): Promise<McpEndpoint> {
  const path = "/mcp";
  const clientInfo = { name: "bench", version: "1" };
  const params = { protocolVersion: mcpVersion, capabilities: {}, clientInfo };
  const initialize = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const answer = await client.send("POST", path, mcpHeaders(token), initialize);
  const id = answer.headers["mcp-session-id"];
  if (typeof id !== "string") throw new Error(`Executor opened no session: ${answer.text}`);
  const headers = { ...mcpHeaders(token), "mcp-session-id": id };
  const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
  await client.send("POST", path, headers, initialized);
  return { client, path, headers };
}

/** Registers an API with one operation, and a connection to it without authentication. */
async function addIntegration(session: McpEndpoint, token: string, port: number): Promise<void> {
  const { client } = session;
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}` };
    const { status, text } = await client.send("POST", path, headers, JSON.stringify(body));
    if (status !== 200) throw new Error(`Executor responded with ${status} to ${path}: ${text}`);
  };
  await post("/api/openapi/specs", {
    spec: { kind: "blob", value: JSON.stringify(description(port)) },
    slug: integration,
    authenticationTemplate: [],
  });
  const connection = { owner: "org", name: "main", integration, template: "none", values: {} };
  await post("/api/connections", connection);
}

function numberParameter(name: string): unknown {
  return { name, in: "query", required: true, schema: { type: "number" } };
}

function description(port: number): unknown {
  const schema = { type: "object", properties: { sum: { type: "number" } } };
  const ok = { description: "The sum", content: { "application/json": { schema } } };
  return {
    openapi: "3.1.0",
    info: { title: "Bench", version: "1" },
    servers: [{ url: `http://127.0.0.1:${port}` }],
    paths: {
      "/sum": {
        get: {
          operationId: "getSum",
          parameters: ["a", "b"].map(numberParameter),
          responses: { 200: ok },
        },
      },
    },
  };
}

function spawnExecutor(program: string, dataDir: string, options: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program, "daemon", "run", "--foreground", ...options], {
    cwd: dataDir,
    env: {
      ...process.env,
      HOME: dataDir,
      EXECUTOR_DATA_DIR: dataDir,
      // Otherwise it loads lists from its publisher.
      DO_NOT_TRACK: "1",
      EXECUTOR_DISABLE_INTEGRATIONS_FETCH: "1",
      EXECUTOR_DISABLE_UPDATE_CHECK: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // The program ends its native process at this signal, but cannot at SIGKILL.
  endOnExit(child, "SIGTERM");
  return child;
}

async function untilReady(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let words = "";
  const read = (chunk: Buffer) => {
    words = `${words}${chunk.toString()}`.slice(-10_000);
    if (words.includes("Daemon ready")) resolve();
  };
  child.stdout?.on("data", read);
  child.stderr?.on("data", read);
  child.once("error", reject);
  child.once("exit", (code) => reject(new Error(`Executor exited with code ${code}: ${words}`)));
  const timer = setTimeout(
    () => reject(new Error(`Executor did not start in time: ${words}`)),
    startMs,
  );
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}
