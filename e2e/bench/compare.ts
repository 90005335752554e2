import { existsSync, mkdtempSync } from "node:fs";
import { join, resolve } from "node:path";
import { alternate, measure } from "./alternate.ts";
import type { Contender } from "./alternate.ts";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { openClient } from "./http-client.ts";
import { endWithUsage, readOptions } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import { table } from "./table.ts";
import { runCall, saveTool, startService } from "./service.ts";
import { concurrencies, toolCode } from "./settings.ts";

/**
 * Compares two builds of the service, both running, with load on each in turn. The argument is the path of `server/dist/main.js`
 * in a checkout of the older version, built there with its own dependencies. Uses SQLite.
 */

exitOnSignals();

const [program, ...rest] = process.argv.slice(2);
if (program === undefined || !existsSync(program)) {
  endWithUsage(
    "Name the bundle of another checkout:\n  npm run bench:compare -- ../older/server/dist/main.js",
  );
}
const { seconds, rounds } = readOptions(rest);
const warmUp = { concurrency: 16, seconds: 4 };

type Version = Contender<"old" | "new"> & { stop: () => Promise<void> };

const folder = makeTemporaryFolder("bench-compare");
const versions: Version[] = [];
try {
  versions.push(await start("old", resolve(program)), await start("new", undefined));
  for (const version of versions) await measure(version, warmUp);
  const rows = [["at once", "figure", "old", "new", "new / old"]];
  for (const concurrency of concurrencies) rows.push(...(await compare(concurrency)));
  process.stdout.write(`${table(rows).join("\n")}\n`);
} finally {
  await Promise.all(versions.map((version) => version.stop()));
}

async function compare(concurrency: number): Promise<string[][]> {
  const { middle, ratio } = await alternate(versions, { concurrency, seconds }, rounds);
  const figures = ["cpuMs", "ownCpuMs", "sandboxCpuMs", "p50Ms", "requestsPerSecond"] as const;
  return figures.map((figure) => [
    `${concurrency}`,
    figure,
    middle("old", figure).toFixed(2),
    middle("new", figure).toFixed(2),
    ratio("new", "old", figure).toFixed(2),
  ]);
}

async function start(name: "old" | "new", main: string | undefined): Promise<Version> {
  const service = await startService(mkdtempSync(join(folder, "service-")), {}, main);
  const client = openClient(service.port);
  const watch = watchTree(service.pid);
  const tool = { title: "Sum", code: toolCode, isolation: "reuse" };
  const call = runCall(client, service.apiKey, await saveTool(client, service.apiKey, tool));
  const stop = async () => {
    watch.stop();
    client.close();
    await service.stop();
  };
  return { name, watch, call, stop };
}
