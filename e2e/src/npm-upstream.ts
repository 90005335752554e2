import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

/** An MCP server from npm. */
export type NpmUpstream = { url: string; host: string; close(): Promise<void> };

const { resolve } = createRequire(import.meta.url);

/** Starts the reference server `everything` on one of its HTTP transports. */
export async function startEverything(transport: "streamableHttp" | "sse"): Promise<NpmUpstream> {
  const port = await freePort();
  const program = resolve("@modelcontextprotocol/server-everything/dist/index.js");
  const child = spawn(process.execPath, [program, transport], {
    env: { PORT: String(port) },
    stdio: "ignore",
  });
  const exited = new Promise((done) => child.once("exit", done));
  const host = `127.0.0.1:${port}`;
  const answers = () =>
    fetch(`http://${host}/`).then(
      () => true,
      () => false,
    );
  await until("the server listens", 20_000, answers);
  const url = `http://${host}/${transport === "sse" ? "sse" : "mcp"}`;
  const close = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  return { url, host, close };
}

/** Starts the reference server `filesystem`, which speaks over stdio, behind HTTP: a process for each session. */
export async function startFilesystem(folder: string): Promise<NpmUpstream> {
  const bridges = new Map<string, Bridge>();
  const server = createServer((request, response) => {
    void serve(bridges, folder, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}/mcp`, host, close: () => closeAll(server, bridges) };
}

type Bridge = { http: StreamableHTTPServerTransport; stdio: StdioClientTransport };

async function serve(
  bridges: Map<string, Bridge>,
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const id = request.headers["mcp-session-id"];
  const known = typeof id === "string" ? bridges.get(id) : undefined;
  if (id !== undefined && known === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { http } = known ?? (await openBridge(bridges, folder));
  await http.handleRequest(request, response);
}

async function openBridge(bridges: Map<string, Bridge>, folder: string): Promise<Bridge> {
  const program = resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  const stdio = new StdioClientTransport({
    command: process.execPath,
    args: [program, folder],
    stderr: "ignore",
  });
  const http: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void bridges.set(id, { http, stdio }),
  });
  const toClient: Transport["onmessage"] = (message) => void http.send(message).catch(() => {});
  const toServer: Transport["onmessage"] = (message) => void stdio.send(message).catch(() => {});
  Object.assign(stdio, { onmessage: toClient });
  Object.assign(http, { onmessage: toServer, onclose: () => void stdio.close() });
  await stdio.start();
  await http.start();
  return { http, stdio };
}

async function closeAll(server: Server, bridges: Map<string, Bridge>): Promise<void> {
  for (const { stdio } of bridges.values()) await stdio.close();
  server.closeAllConnections();
  server.close();
}
