import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { alternate, measure } from "./alternate.ts";
import type { Alternation } from "./alternate.ts";
import { openClient } from "./http-client.ts";
import type { HttpClient } from "./http-client.ts";
import { field } from "./json.ts";
import { readOptions } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import { runCall, saveTool, startService } from "./service.ts";
import type { Service } from "./service.ts";
import { toolCode } from "./settings.ts";

/** Compares the cost of a run through `tools/call` and `POST /run`: the same tool, in turn, on one service. */

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const concurrencies = [1, 16] as const;
const goal = 1.05;

const { seconds, rounds } = readOptions(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), "bench-mcp-"));
try {
  const service = await startService(folder);
  try {
    await compare(service);
  } finally {
    await service.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function compare(service: Service): Promise<void> {
  const client = openClient(service.port);
  const watch = watchTree(service.pid);
  try {
    const draft = { title: "Sum", code: toolCode, isolation: "reuse" };
    const tool = await saveTool(client, service.apiKey, draft);
    const contenders = [
      { name: "rest", watch, call: runCall(client, service.apiKey, tool) },
      { name: "mcp", watch, call: callTool(client, service.apiKey, tool) },
    ] as const;
    for (const each of contenders) await measure(each, { concurrency: 16, seconds: 4 });
    for (const concurrency of concurrencies) {
      report(concurrency, await alternate(contenders, { concurrency, seconds }, rounds));
    }
  } finally {
    watch.stop();
    client.close();
  }
}

/** Calls the broker's tool over Streamable HTTP. Rejects for any response but the correct sum. */
function callTool(client: HttpClient, apiKey: string, tool: string): () => Promise<number> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  };
  let calls = 0;
  return async () => {
    calls += 1;
    const sum = calls + 1;
    const params = {
      name: "service_execute_tool",
      arguments: { tool_name: tool, arguments: { a: calls, b: 1 } },
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: calls, method: "tools/call", params });
    const { text } = await client.send("POST", "/api/mcp", headers, body);
    const result = field(field(JSON.parse(text), "result"), "structuredContent");
    if (field(field(result, "output"), "sum") !== sum) throw new Error(`Expected ${sum}: ${text}`);
    return text.length;
  };
}

function report(concurrency: number, { middle, ratio }: Alternation<"rest" | "mcp">): void {
  for (const via of ["rest", "mcp"] as const) {
    const [cpu, own] = [middle(via, "cpuMs").toFixed(2), middle(via, "ownCpuMs").toFixed(2)];
    const [p50, rate] = [middle(via, "p50Ms").toFixed(2), middle(via, "requestsPerSecond")];
    process.stdout.write(
      `${concurrency} at once, ${via}: ${cpu} CPU ms a run (the service's own: ${own}), p50 ${p50} ms, ${rate.toFixed(2)}/s\n`,
    );
  }
  const all = ratio("mcp", "rest", "cpuMs");
  const own = ratio("mcp", "rest", "ownCpuMs");
  process.stdout.write(
    `${concurrency} at once, mcp / rest: ${all.toFixed(2)} of the CPU time, ${own.toFixed(2)} of the service's own (goal: at most ${goal})\n`,
  );
  if (all > goal) process.exitCode = 1;
}
