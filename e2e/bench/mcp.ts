import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openClient } from "./http-client.ts";
import type { HttpClient } from "./http-client.ts";
import { field } from "./json.ts";
import { median, quantile, runLoad } from "./load.ts";
import { readOptions } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import type { TreeWatch } from "./process-tree.ts";
import { runCall, saveTool, startService } from "./service.ts";
import type { Service } from "./service.ts";
import { toolCode } from "./settings.ts";

/** Compares the cost of a run through `tools/call` and `POST /run`: the same tool, in turn, on one service. */

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const concurrencies = [1, 16] as const;
const drainMs = 1_300;
const goal = 1.05;

type Figures = { cpuMs: number; ownCpuMs: number; p50Ms: number; requestsPerSecond: number };

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
    const rest = runCall(client, service.apiKey, tool);
    const mcp = callTool(client, service.apiKey, tool);
    for (const call of [rest, mcp]) await measure(watch, call, { concurrency: 16, forSeconds: 4 });
    for (const concurrency of concurrencies) {
      const load = { concurrency, forSeconds: seconds };
      const pairs: { rest: Figures; mcp: Figures }[] = [];
      for (let round = 0; round < rounds; round++) {
        // In turn, so that changes on the machine affect both equally.
        const order = round % 2 === 0;
        const first = await measure(watch, order ? rest : mcp, load);
        const second = await measure(watch, order ? mcp : rest, load);
        pairs.push(order ? { rest: first, mcp: second } : { rest: second, mcp: first });
      }
      report(concurrency, pairs);
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

async function measure(
  watch: TreeWatch,
  call: () => Promise<number>,
  { concurrency, forSeconds }: { concurrency: number; forSeconds: number },
): Promise<Figures> {
  const before = watch.cpu();
  const load = await runLoad(concurrency, forSeconds, async () => void (await call()));
  // The audit log is sealed up to a second after a run.
  await sleep(drainMs);
  const after = watch.cpu();
  const [problem] = load.problems;
  if (problem !== undefined) throw new Error(problem);
  const requests = load.latenciesMs.length;
  const ownCpuMs = (after.rootMs - before.rootMs) / requests;
  return {
    ownCpuMs,
    cpuMs: ownCpuMs + (after.descendantsMs - before.descendantsMs) / requests,
    p50Ms: quantile(load.latenciesMs, 0.5),
    requestsPerSecond: requests / load.seconds,
  };
}

function report(concurrency: number, pairs: readonly { rest: Figures; mcp: Figures }[]): void {
  const middle = (via: "rest" | "mcp", figure: keyof Figures) =>
    median(pairs.map((pair) => pair[via][figure])).toFixed(2);
  for (const via of ["rest", "mcp"] as const) {
    process.stdout.write(
      `${concurrency} at once, ${via}: ${middle(via, "cpuMs")} CPU ms a run (the service's own: ${middle(via, "ownCpuMs")}), p50 ${middle(via, "p50Ms")} ms, ${middle(via, "requestsPerSecond")}/s\n`,
    );
  }
  const ratio = (figure: "cpuMs" | "ownCpuMs") =>
    median(pairs.map(({ rest, mcp }) => mcp[figure] / rest[figure]));
  const all = ratio("cpuMs");
  process.stdout.write(
    `${concurrency} at once, mcp / rest: ${all.toFixed(2)} of the CPU time, ${ratio("ownCpuMs").toFixed(2)} of the service's own (goal: at most ${goal})\n`,
  );
  if (all > goal) process.exitCode = 1;
}
