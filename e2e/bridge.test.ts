import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createCli, findOldestNode } from "./src/cli.ts";
import type { Cli } from "./src/cli.ts";
import { dialect } from "./src/database.ts";
import { createCall } from "./src/http.ts";
import { createRpc } from "./src/mcp-http.ts";
import { startSecondNode } from "./src/second-node.ts";
import { startServer } from "./src/server.ts";
import { endService } from "./src/service-process.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

const { resolve } = createRequire(import.meta.url);
const filesystem = resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

let folder: string;
let server: Server;
let cli: Cli;
const running: ReturnType<Cli["start"]>[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolhost-bridge-"));
  await writeFile(join(folder, "a.txt"), "on my machine");
  server = await startServer();
  cli = await createCli(server);
});
afterEach(async () => {
  for (const { child, result } of running.splice(0)) {
    child.kill("SIGKILL");
    await result;
  }
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts `toolhost bridge`, and waits until it is connected. */
async function start(name: string, command: readonly string[], node = process.execPath) {
  const one = cli.start(["bridge", "--json", "--name", name, "--", ...command], { node });
  running.push(one);
  const events: { type: string }[] = [];
  one.child.stdout?.on("data", (chunk: string) => {
    for (const line of chunk.split("\n").filter(Boolean)) events.push(JSON.parse(line));
  });
  await until("the bridge is connected", 20_000, () =>
    events.some(({ type }) => type === "connected"),
  );
  return { ...one, events };
}

const startFiles = (name: string) => start(name, [process.execPath, filesystem, folder]);

/** A server on stdio with a tool whose behavior is this code. */
async function startScript(name: string, onCall: string) {
  const file = join(folder, `${name}.mjs`);
  await writeFile(
    file,
    `
import { createInterface } from "node:readline";
console.log("Welcome");
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const { id, method } = message;
  const answer = (result) => write({ id, result });
  if (method === "initialize") answer({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "script", version: "1" } });
  else if (method === "tools/list") answer({ tools: [{ name: "work", inputSchema: { type: "object" } }] });
  else if (method === "tools/call") { ${onCall} }
}`,
  );
  return start(name, [process.execPath, file]);
}

async function importTool(name: string, key: string): Promise<string> {
  const args = ["import", `bridge:${name}`, "--operation", key, "--publish"];
  const { results } = await cli.json(args);
  expect(results).toMatchObject([{ key, problem: null }]);
  return String(results[0].toolName);
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test("reads a file of this machine through REST, and ends with Ctrl-C", async () => {
  const bridge = await startFiles("files");
  const tool = await importTool("files", "read_text_file");
  const { body } = await server.run(tool, { path: join(folder, "a.txt") });
  expect(body).toMatchObject({
    status: "completed",
    output: { structuredContent: { content: "on my machine" } },
  });
  expect(bridge.events.at(-1)).toMatchObject({ type: "call", tool: "read_text_file" });
  const rpc = createRpc(() => server.baseUrl, server.apiKey);
  const input = { tool_name: tool, arguments: { path: join(folder, "a.txt") } };
  const overMcp = await rpc.call("service_execute_tool", input);
  expect(JSON.stringify(overMcp)).toContain("on my machine");
  const refused = await server.run(tool, { path: "/etc/passwd" });
  expect(refused.body.error.message).toContain("Access denied");
  bridge.child.kill("SIGINT");
  expect((await bridge.result).code).toBe(0);
  const offline = await server.run(tool, { path: "a" });
  expect(offline.body.error.message).toContain("The bridge files is not connected");
  await startFiles("files");
  const again = await server.run(tool, { path: join(folder, "a.txt") });
  expect(again.body.status).toBe("completed");
});

const oldestNode = findOldestNode();

test.skipIf(oldestNode === undefined)("runs on the oldest supported Node.js", async () => {
  const bridge = await start("oldest", [process.execPath, filesystem, folder], oldestNode);
  const tool = await importTool("oldest", "read_text_file");
  const { body } = await server.run(tool, { path: join(folder, "a.txt") });
  expect(body.status).toBe("completed");
  bridge.child.kill("SIGINT");
  expect((await bridge.result).code).toBe(0);
});

test.each([
  ["the service cannot be reached", { TOOLHOST_URL: "http://127.0.0.1:9" }],
  ["its API key is refused", { TOOLHOST_API_KEY: "th_wrong" }],
])("exits and ends the server when %s", async (_, env) => {
  const file = join(folder, "unconnected");
  const code = `require("fs").writeFileSync(${JSON.stringify(file)}, String(process.pid));
    process.stdin.once("data", () => console.log(JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} })));
    setInterval(() => {}, 1000)`;
  const { child, result } = cli.start(["bridge", "--", process.execPath, "-e", code], { env });
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  expect((await result).code).toBeGreaterThan(0);
  clearTimeout(timer);
  const pid = await readFile(file, "utf8").catch(() => undefined);
  if (pid !== undefined) expect(isAlive(Number(pid))).toBe(false);
});

test("ends the server that it started, and gives it no key", async () => {
  const file = join(folder, "pid");
  const code = `(await import("node:fs")).writeFileSync(${JSON.stringify(file)}, JSON.stringify([process.pid, process.env.TOOLHOST_API_KEY ?? null])); answer({ content: [] })`;
  const bridge = await startScript("pid", code);
  await server.run(await importTool("pid", "work"), {});
  const [pid, key] = JSON.parse(await readFile(file, "utf8"));
  expect([isAlive(pid), key]).toEqual([true, null]);
  bridge.child.kill("SIGTERM");
  await bridge.result;
  await until("the server has ended", 5_000, () => !isAlive(pid));
});

test("fails a call when the process is killed, and works again when it is started", async () => {
  const bridge = await startScript(
    "slow",
    `setTimeout(() => answer({ content: [] }), 60_000).unref()`,
  );
  const tool = await importTool("slow", "work");
  const ended = server.run(tool, {});
  await until("the call arrives", 10_000, async () => {
    await sleep(100);
    return (await server.call("GET", "/runs?limit=1")).body[0]?.status === "running";
  });
  await sleep(500);
  bridge.child.kill("SIGKILL");
  const { body } = await ended;
  expect(body.error.message).toContain("was disconnected during the call");
  await startScript("slow", `answer({ content: [{ type: "text", text: "fast" }] })`);
  expect((await server.run(tool, {})).body.output).toEqual({ text: "fast" });
});

test("reconnects after a restart of the service", async () => {
  const bridge = await startFiles("files");
  const tool = await importTool("files", "read_text_file");
  await server.end("SIGKILL");
  await sleep(1_000);
  await server.startAgain({ PORT: new URL(server.baseUrl).port });
  await until("the bridge is connected again", 40_000, async () => {
    const { body } = await server.run(tool, { path: join(folder, "a.txt") });
    return body.status === "completed";
  });
  expect(bridge.child.exitCode).toBeNull();
});

test.skipIf(dialect !== "postgres")("serves runs of another node", async () => {
  await startFiles("nodes");
  const tool = await importTool("nodes", "read_text_file");
  const other = await startSecondNode(server);
  try {
    const call = createCall(
      () => other.baseUrl,
      () => ({ authorization: `Bearer ${server.apiKey}` }),
    );
    for (let at = 0; at < 3; at += 1) {
      const { body } = await call("POST", `/run/${tool}`, { path: join(folder, "a.txt") });
      expect(body.status).toBe("completed");
    }
  } finally {
    await endService(other, "SIGTERM");
  }
});

test("ends when another process takes its name", async () => {
  const first = await startFiles("same");
  await startFiles("same");
  const { code, stderr } = await first.result;
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining("Another process connected a bridge"),
  ]);
  const tool = await importTool("same", "read_text_file");
  const { body } = await server.run(tool, { path: join(folder, "a.txt") });
  expect(body.status).toBe("completed");
});

describe("a hostile local server", () => {
  test.each([
    ["answers without a result", `write({ id })`, "without a result"],
    [
      "sends an answer that is too large",
      `answer({ x: "x".repeat(2_000_000) })`,
      "The answer has more than",
    ],
    [
      "sends an answer with more bytes than characters",
      `answer({ x: "字".repeat(500_000) })`,
      "The answer has more than",
    ],
    ["sends an error", `write({ id, error: { code: 7, message: "no" } })`, "error 7: no"],
    [
      "sends lines that are no messages",
      `console.log("{]"); console.log("[1]"); answer({ content: [{ type: "text", text: "fine" }] })`,
      undefined,
    ],
    [
      "sends requests",
      `for (let i = 0; i < 100; i++) write({ id: "r" + i, method: "sampling/createMessage" }); answer({ content: [] })`,
      undefined,
    ],
  ])("fails only its run when it %s", async (_, code, problem) => {
    await startScript("hostile", code);
    const { body } = await server.run(await importTool("hostile", "work"), {});
    if (problem === undefined) expect(body.status).toBe("completed");
    else expect(body.error.message).toContain(problem);
  });

  test.each([
    [
      "never ends a message",
      `setInterval(() => process.stdout.write("x".repeat(1_000_000)), 1)`,
      "sent more than",
    ],
    ["ends", `process.exit(3)`, "ended (code 3)"],
  ])("ends the bridge when it %s", async (_, code, problem) => {
    const bridge = await startScript("hostile", code);
    const { body } = await server.run(await importTool("hostile", "work"), {});
    expect(body.status).toBe("failed");
    const { code: exit, stderr } = await bridge.result;
    expect([exit, stderr]).toEqual([1, expect.stringContaining(problem)]);
  });
});

test("explains what is wrong with the command", async () => {
  for (const [args, problem] of [
    [["bridge"], "COMMAND is missing"],
    [["bridge", "npx", "-y", "server"], "Put -- before the command"],
    [["bridge", "--name", "A B", "--", "x"], "lowercase letters"],
    [["bridge", "--", "/no/such/program"], "could not be started"],
    [["bridge", "--", process.execPath, "-e", "process.exit(0)"], "ended (code 0)"],
  ] as const) {
    const { code, stderr } = await cli.run(args);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(problem)]);
  }
});
