import { alternate, measure } from "./alternate.ts";
import type { Alternation } from "./alternate.ts";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { areGoalsMet, goalRows, writeMeasured } from "./goals.ts";
import type { Measured } from "./goals.ts";
import { openClient } from "./http-client.ts";
import { callServiceTool } from "./mcp-call.ts";
import { readOptions } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import { runCall, saveTool, startService } from "./service.ts";
import type { Service } from "./service.ts";
import { toolCode } from "./settings.ts";
import { table } from "./table.ts";

/** Compares the cost of a run through `tools/call` and `POST /run`: the same tool, in turn, on one service. */

exitOnSignals();

const concurrencies = [1, 16] as const;

const { seconds, rounds, json } = readOptions(process.argv.slice(2));
const folder = makeTemporaryFolder("bench-mcp");
const service = await startService(folder);
try {
  await compare(service);
} finally {
  await service.stop();
}

async function compare({ pid, port, apiKey }: Service): Promise<void> {
  const client = openClient(port);
  const watch = watchTree(pid);
  try {
    const draft = { title: "Sum", code: toolCode, isolation: "reuse" };
    const tool = await saveTool(client, apiKey, draft);
    const contenders = [
      { name: "rest", watch, call: runCall(client, apiKey, tool) },
      { name: "mcp", watch, call: callServiceTool(client, apiKey, tool) },
    ] as const;
    for (const each of contenders) await measure(each, { concurrency: 16, seconds: 4 });
    const measured: Measured[] = [];
    for (const concurrency of concurrencies) {
      const result = await alternate(contenders, { concurrency, seconds }, rounds);
      report(concurrency, result);
      measured.push({
        figure: "mcp cpu",
        concurrency,
        value: result.ratio("mcp", "rest", "cpuMs"),
      });
    }
    process.stdout.write(`${table(goalRows(measured)).join("\n")}\n`);
    writeMeasured(json, measured);
    if (!areGoalsMet(measured)) process.exitCode = 1;
  } finally {
    watch.stop();
    client.close();
  }
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
  const p50 = ratio("mcp", "rest", "p50Ms");
  process.stdout.write(
    `${concurrency} at once, mcp / rest: ${all.toFixed(2)} of the CPU time, ${own.toFixed(2)} of the service's own, ${p50.toFixed(2)} of the p50\n`,
  );
}
