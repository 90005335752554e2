import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { summarizeStatement } from "../../server/src/telemetry/statements.ts";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { openClient } from "./http-client.ts";
import { startLightNode } from "./light-node.ts";
import type { LightNode } from "./light-node.ts";
import { median, quantile, runLoad } from "./load.ts";
import type { Load } from "./load.ts";
import { readOptions } from "./options.ts";
import { describeWaits, shareOfWaits, startMeteredPostgres } from "./postgres-meter.ts";
import type { Usage } from "./postgres-meter.ts";
import { saveTool, startService } from "./service.ts";
import { serviceEnvironment, toolCode } from "./settings.ts";

/**
 * Prints what 10, 30 and 100 nodes send to PostgreSQL without runs, with messages that all nodes receive, and with runs that wait in
 * the queue, each of which is announced to all nodes. The nodes are the product's own code in this process, with an identity and connections each.
 */

exitOnSignals();

const { seconds } = readOptions(process.argv.slice(2));
const nodeCounts = [10, 30, 100];
/** All runs of the load belong to one workspace, whose limit queues about half of them at any time. */
const [clients, slots] = [24, 8];
const runMs = 400;
const messageEveryMs = 8;
const settleSeconds = 12;
const showCalls = process.env["SHOW_STATEMENTS"] === "1";

const folder = makeTemporaryFolder("bench-traffic");
const postgres = await startMeteredPostgres(1_500);
const nodes: LightNode[] = [];
try {
  const common = {
    DATABASE_URL: postgres.url,
    ENCRYPTION_KEY: randomBytes(32).toString("hex"),
    LOG_LEVEL: "error",
  };
  mkdirSync(join(folder, "first"));
  const first = await startService(join(folder, "first"), common);
  const client = openClient(first.port);
  const draft = { title: "Sum", code: toolCode, isolation: "reuse" };
  const tool = await saveTool(client, first.apiKey, draft).finally(() => client.close());
  await first.stop();
  const start = (index: number) => {
    const dataDir = join(folder, String(index));
    const settings = {
      ...serviceEnvironment(dataDir),
      ...common,
      WORKSPACE_MAX_CONCURRENT_RUNS: String(slots),
    };
    return startLightNode({ dataDir, settings, apiKey: first.apiKey, runMs });
  };
  process.stdout.write(
    "nodes  connections  load  statements/s  NOTIFY/s  log KB/s  database CPU  runs/s  statements/run  NOTIFY/run  CPU ms/one  p50 ms  p99 ms    Lock  LWLock  most frequent waits\n",
  );
  for (const count of nodeCounts) {
    while (nodes.length < count) nodes.push(await start(nodes.length));
    await sleep(settleSeconds * 1_000);
    const idle = await measure({ count, work: () => sleep(seconds * 4_000, undefined) });
    await measure({ count, work: () => sendMessages(seconds * 2), idle });
    let next = 0;
    const run = async () => nodes[next++ % nodes.length]?.run(tool);
    await measure({ count, work: () => runLoad(clients, seconds * 4, run), idle });
  }
} finally {
  await Promise.allSettled(nodes.map((node) => node.stop()));
  await postgres.close();
}

/** Sends messages one after another. */
async function sendMessages(duration: number): Promise<undefined> {
  const endsAt = performance.now() + duration * 1_000;
  while (performance.now() < endsAt) {
    await nodes[0]?.notifyAll();
    await sleep(messageEveryMs);
  }
}

type Phase = {
  count: number;
  work: () => Promise<Load | undefined>;
  /** What the nodes send without runs. */
  idle?: Usage;
};

async function measure({ count, work, idle }: Phase): Promise<Usage> {
  const end = await postgres.measure();
  const endSamples = postgres.sampleWaits();
  const load = await work();
  const [usage, waits] = [await end(), await endSamples()];
  const problem = load?.problems[0];
  if (problem !== undefined) throw new Error(problem);
  const perSecond = (value: number) => value / usage.seconds;
  const cells = [
    [count, 5],
    [await postgres.countConnections(), 13],
    [load === undefined ? (idle === undefined ? "none" : "mess.") : "runs", 6],
    [perSecond(usage.statements).toFixed(0), 14],
    [perSecond(usage.notifies).toFixed(1), 10],
    [(perSecond(usage.logBytes) / 1_000).toFixed(1), 10],
    [percent(perSecond(usage.cpuMs) / 1_000), 14],
    ...cellsOfLoad(usage, load, idle),
    [percent(shareOfWaits(waits, "Lock")), 8],
    [percent(shareOfWaits(waits, "LWLock")), 8],
  ] as const;
  const text = cells.map(([cell, width]) => String(cell).padStart(width)).join("");
  process.stdout.write(`${text}  ${describeWaits(waits)}\n`);
  if (showCalls) printCalls(usage);
  return usage;
}

/** What runs cost beyond what the nodes send anyway. */
function cellsOfLoad(
  usage: Usage,
  load: Load | undefined,
  idle: Usage | undefined,
): (readonly [string, number])[] {
  const runs = load?.latenciesMs.length ?? 0;
  // Of a message without runs.
  const count = load === undefined ? usage.notifies : runs;
  const ofRun = (name: "statements" | "notifies" | "cpuMs") => {
    const anyway = idle === undefined ? 0 : (idle[name] / idle.seconds) * usage.seconds;
    return (usage[name] - anyway) / count;
  };
  const ofLoad = (value: number, digits: number) =>
    load === undefined ? "-" : value.toFixed(digits);
  const latencies = load?.latenciesMs ?? [];
  return [
    [ofLoad(runs / usage.seconds, 1), 8],
    [ofLoad(ofRun("statements"), 1), 16],
    [ofLoad(ofRun("notifies"), 1), 12],
    [idle === undefined ? "-" : ofRun("cpuMs").toFixed(2), 12],
    [ofLoad(median(latencies), 0), 8],
    [ofLoad(quantile(latencies, 0.99), 0), 8],
  ];
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

/** The most frequent statements. */
function printCalls(usage: Usage): void {
  const most = [...usage.calls].toSorted(([, one], [, other]) => other - one).slice(0, 25);
  for (const [text, calls] of most) {
    const rate = (calls / usage.seconds).toFixed(1).padStart(10);
    const start = text.replaceAll(/\s+/g, " ").slice(0, 110);
    process.stdout.write(`${rate}/s  ${summarizeStatement(text)}  ${start}\n`);
  }
}
