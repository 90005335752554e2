import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openClient } from "./http-client.ts";
import { median, quantile, runLoad } from "./load.ts";
import { readOptions } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import { table } from "./report.ts";
import { runCall, saveTool, startService } from "./service.ts";
import { toolCode } from "./settings.ts";

/**
 * Compares two builds of the service, both running, with load on each in turn. The argument is the path of `server/dist/main.js`
 * in a checkout of the older version, built there with its own dependencies. Uses SQLite.
 */

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const [program, ...rest] = process.argv.slice(2);
if (program === undefined) throw new Error("Name the other version's server/dist/main.js");
const { seconds, rounds } = readOptions(rest);
const concurrencies = [1, 16] as const;
const warmUpSeconds = 4;
/** The audit log is sealed up to a second after a run. */
const drainMs = 1_300;

type Figures = { cpuMs: number; ownCpuMs: number; p50Ms: number; runsPerSecond: number };
type Version = {
  name: "old" | "new";
  measure: (concurrency: number, forSeconds: number) => Promise<Figures>;
  stop: () => Promise<void>;
};

const folder = mkdtempSync(join(tmpdir(), "bench-compare-"));
const versions: Version[] = [];
try {
  versions.push(await start("old", program), await start("new", undefined));
  for (const version of versions) await version.measure(16, warmUpSeconds);
  const rows = [["at once", "figure", "old", "new", "new / old"]];
  for (const concurrency of concurrencies) rows.push(...(await compare(concurrency)));
  process.stdout.write(`${table(rows).join("\n")}\n`);
} finally {
  await Promise.all(versions.map((version) => version.stop()));
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function compare(concurrency: number): Promise<string[][]> {
  const pairs: { old: Figures; new: Figures }[] = [];
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? versions : versions.toReversed();
    const pair: Partial<Record<Version["name"], Figures>> = {};
    for (const { name, measure } of order) pair[name] = await measure(concurrency, seconds);
    if (pair.old !== undefined && pair.new !== undefined) {
      pairs.push({ old: pair.old, new: pair.new });
    }
  }
  const figures = ["cpuMs", "ownCpuMs", "p50Ms", "runsPerSecond"] as const;
  return figures.map((figure) => [
    `${concurrency}`,
    figure,
    median(pairs.map((pair) => pair.old[figure])).toFixed(2),
    median(pairs.map((pair) => pair.new[figure])).toFixed(2),
    median(pairs.map((pair) => pair.new[figure] / pair.old[figure])).toFixed(2),
  ]);
}

async function start(name: Version["name"], main: string | undefined): Promise<Version> {
  const service = await startService(mkdtempSync(join(folder, "service-")), {}, main);
  const client = openClient(service.port);
  const watch = watchTree(service.pid);
  const tool = { title: "Sum", code: toolCode, isolation: "reuse" };
  const call = runCall(client, service.apiKey, await saveTool(client, service.apiKey, tool));
  return {
    name,
    measure: async (concurrency, forSeconds) => {
      const before = watch.cpu();
      const load = await runLoad(concurrency, forSeconds, async () => void (await call()));
      await sleep(drainMs);
      const after = watch.cpu();
      const [problem] = load.problems;
      if (problem !== undefined) throw new Error(problem);
      const runs = load.latenciesMs.length;
      const ownCpuMs = (after.rootMs - before.rootMs) / runs;
      return {
        ownCpuMs,
        cpuMs: ownCpuMs + (after.descendantsMs - before.descendantsMs) / runs,
        p50Ms: quantile(load.latenciesMs, 0.5),
        runsPerSecond: runs / load.seconds,
      };
    },
    stop: async () => {
      watch.stop();
      client.close();
      await service.stop();
    },
  };
}
