import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { alternate, measure } from "./alternate.ts";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { hasExecutor, installExecutor, startExecutor } from "./executor-server.ts";
import { goalRows, writeMeasured } from "./goals.ts";
import type { Measured } from "./goals.ts";
import { openClient } from "./http-client.ts";
import { callServiceTool } from "./mcp-call.ts";
import { endWithUsage, readOptions } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import { saveTool, startService } from "./service.ts";
import { toolCode } from "./settings.ts";
import { table } from "./table.ts";

/**
 * Compares the service with the npm package `executor`, both over MCP and HTTP, with load on each in turn. The argument is a folder
 * with an installed copy. Each adds two numbers: the service with a published tool, Executor with code in the call, and with code
 * that calls a tool of an integration.
 */

exitOnSignals();

const concurrencies = [1, 16] as const;
const warmUpCalls = 1_000;
const maxWarmUps = 5;

const [installed, ...rest] = process.argv.slice(2);
if (installed === undefined || !hasExecutor(installed)) {
  endWithUsage(
    `Install a copy, and name its folder:\n  ${installExecutor("DIR")}\n  npm run bench:executor -- DIR`,
  );
}
const options = readOptions(rest);
const folder = makeTemporaryFolder("bench-executor");
await compare(resolve(installed));

async function compare(copy: string): Promise<void> {
  const service = await startService(makeFolder("service"));
  const client = openClient(service.port);
  try {
    const executor = await startExecutor(copy, makeFolder("executor"));
    const watches = [watchTree(service.pid), watchTree(executor.pid)] as const;
    try {
      const draft = { title: "Sum", code: toolCode, isolation: "reuse" };
      const tool = await saveTool(client, service.apiKey, draft);
      const call = callServiceTool(client, service.apiKey, tool);
      await measureAll([
        { name: "Toolhost, a tool", watch: watches[0], call },
        { name: "Executor, code", watch: watches[1], call: executor.callCode },
        { name: "Executor, a tool", watch: watches[1], call: executor.callTool },
      ]);
    } finally {
      for (const watch of watches) watch.stop();
      await executor.stop();
    }
  } finally {
    client.close();
    await service.stop();
  }
}

type Contenders = Parameters<typeof alternate<Name>>[0];
type Name = "Toolhost, a tool" | "Executor, code" | "Executor, a tool";

/** The compilers of both need many calls, of which a busy machine makes few per second. */
async function warmUp(contender: Contenders[number]): Promise<void> {
  let calls = 0;
  for (let turn = 0; turn < maxWarmUps && calls < warmUpCalls; turn += 1) {
    calls += (await measure(contender, { concurrency: 16, seconds: 4 })).requests;
  }
}

async function measureAll(contenders: Contenders): Promise<void> {
  const { seconds, rounds, json } = options;
  for (const each of contenders) await warmUp(each);
  const rows = [["at once", "subject", "CPU ms", "p50 ms", "calls/s", "CPU ratio", "p50 ratio"]];
  const measured: Measured[] = [];
  for (const concurrency of concurrencies) {
    const { middle, ratio } = await alternate(contenders, { concurrency, seconds }, rounds);
    for (const { name } of contenders) {
      const figures = (["cpuMs", "p50Ms", "requestsPerSecond"] as const).map((figure) =>
        middle(name, figure).toFixed(2),
      );
      const ratios = (["cpuMs", "p50Ms"] as const).map((figure) =>
        ratio(name, "Executor, code", figure).toFixed(2),
      );
      rows.push([`${concurrency}`, name, ...figures, ...ratios]);
    }
    const to = (figure: "cpuMs" | "p50Ms") => ratio("Toolhost, a tool", "Executor, code", figure);
    measured.push({ figure: "executor cpu", concurrency, value: to("cpuMs") });
    measured.push({ figure: "executor p50", concurrency, value: to("p50Ms") });
  }
  process.stdout.write(`${table(rows).join("\n")}\n\n${table(goalRows(measured)).join("\n")}\n`);
  writeMeasured(json, measured);
}

function makeFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}
