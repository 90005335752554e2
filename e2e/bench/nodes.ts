import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { exitOnSignals, makeTemporaryFolder } from "./cleanup.ts";
import { openClient } from "./http-client.ts";
import { median, runLoad } from "./load.ts";
import { readOptions } from "./options.ts";
import { describeWaits, shareOfWaits, startMeteredPostgres } from "./postgres-meter.ts";
import type { PostgresMeter, Waits } from "./postgres-meter.ts";
import { watchTree } from "./process-tree.ts";
import { runCall, saveTool, startNode, startService } from "./service.ts";
import type { Service } from "./service.ts";
import { toolCode } from "./settings.ts";

/**
 * Puts the same load on one, two and three nodes of one PostgreSQL server in turn, and prints what a run costs with each beyond what the
 * three nodes cost without runs. All of them run and are warmed up by the same number of runs before: a node that has compiled less costs
 * twice as much. More nodes cannot be faster on a machine whose cores are all in use, so the figures that count are costs of a run and waits
 * for locks. Without waits for the disk, the cores are the limit.
 */

exitOnSignals();

const { seconds } = readOptions(process.argv.slice(2));
const nodeCounts = [1, 2, 3];
const concurrency = 24;
const rounds = 3;
/** After these the compilers of a node have little left to do. */
const warmUpRuns = 1_500;
/** Other work of a node, such as a claim of the queue, needs time to start and to end. */
const settleSeconds = 1;
const idleSeconds = 6;

type Node = Pick<Service, "pid" | "port" | "stop">;
type Row = {
  runsPerSecond: number;
  p50Ms: number;
  nodesMs: number;
  databaseMs: number;
  statements: number;
  logBytes: number;
  waits: Waits;
};
/** The CPU time and statements of nodes and database per second, without runs. */
type Idle = { nodesMs: number; databaseMs: number; statements: number };
type Subject = { meter: PostgresMeter; nodes: readonly Node[]; apiKey: string; tool: string };

const folder = makeTemporaryFolder("bench-nodes");
const postgres = await startMeteredPostgres();
const nodes: Node[] = [];
try {
  const settings = {
    DATABASE_URL: postgres.url,
    ENCRYPTION_KEY: randomBytes(32).toString("hex"),
    LOG_LEVEL: "error",
  };
  const first = await startService(folderOf(0), settings);
  nodes.push(first);
  const client = openClient(first.port);
  const draft = { title: "Sum", code: toolCode, isolation: "reuse" };
  const tool = await saveTool(client, first.apiKey, draft);
  client.close();
  while (nodes.length < Math.max(...nodeCounts)) {
    nodes.push(await startNode(folderOf(nodes.length), settings));
  }
  const subject = { meter: postgres, nodes, apiKey: first.apiKey, tool };
  await postgres.waitForDisk(false);
  await warmUp(subject);
  const idle = await measureIdle(subject);
  process.stdout.write(
    `Without runs, of a node per second: CPU ${(idle.nodesMs / nodes.length).toFixed(1)} ms, database ${(idle.databaseMs / nodes.length).toFixed(1)} ms\n`,
  );
  process.stdout.write(
    "disk    nodes  runs/s  p50 ms  CPU ms of a run: nodes  database  statements  log bytes  waits for Lock  LWLock  most frequent\n",
  );
  for (const waits of [true, false]) {
    await postgres.waitForDisk(waits);
    for (let round = 0; round < rounds; round++) {
      for (const count of nodeCounts) {
        const row = await measure(subject, count, idle);
        print((waits ? "waits" : "no wait").padEnd(8), count, row);
      }
    }
  }
} finally {
  await Promise.all(nodes.map((node) => node.stop()));
  await postgres.close();
}

function folderOf(index: number): string {
  const path = join(folder, String(index));
  mkdirSync(path);
  return path;
}

async function warmUp({ nodes: live, apiKey, tool }: Subject): Promise<void> {
  for (const { port } of live) {
    const client = openClient(port);
    const call = runCall(client, apiKey, tool);
    let left = warmUpRuns;
    const loop = async () => {
      while (left-- > 0) await call();
    };
    await Promise.all(Array.from({ length: concurrency }, loop)).finally(() => client.close());
  }
}

async function measureIdle({ meter, nodes: live }: Subject): Promise<Idle> {
  await sleep(settleSeconds * 1_000);
  const trees = live.map(({ pid }) => watchTree(pid));
  try {
    const before = sumCpu(trees);
    const end = await meter.measure();
    await sleep(idleSeconds * 1_000);
    const { seconds: took, cpuMs, statements } = await end();
    return {
      nodesMs: (sumCpu(trees) - before) / took,
      databaseMs: cpuMs / took,
      statements: statements / took,
    };
  } finally {
    for (const tree of trees) tree.stop();
  }
}

/** Puts load on the first nodes; the others have none. */
async function measure(
  { meter, nodes: live, apiKey, tool }: Subject,
  count: number,
  idle: Idle,
): Promise<Row> {
  const clients = live.slice(0, count).map(({ port }) => openClient(port));
  const calls = clients.map((client) => runCall(client, apiKey, tool));
  const trees = live.map(({ pid }) => watchTree(pid));
  let next = 0;
  const run = async () => void (await calls[next++ % calls.length]?.());
  try {
    await runLoad(concurrency, settleSeconds, run);
    const before = sumCpu(trees);
    const end = await meter.measure();
    const endSamples = meter.sampleWaits();
    const { latenciesMs, problems, seconds: took } = await runLoad(concurrency, seconds, run);
    const [usage, waits] = [await end(), await endSamples()];
    if (problems[0] !== undefined) throw new Error(problems[0]);
    const runs = latenciesMs.length;
    const ofRun = (sum: number, idlePerSecond: number) =>
      (sum - idlePerSecond * usage.seconds) / runs;
    return {
      runsPerSecond: runs / took,
      p50Ms: median(latenciesMs),
      nodesMs: ofRun(sumCpu(trees) - before, idle.nodesMs),
      databaseMs: ofRun(usage.cpuMs, idle.databaseMs),
      statements: ofRun(usage.statements, idle.statements),
      logBytes: usage.logBytes / runs,
      waits,
    };
  } finally {
    for (const tree of trees) tree.stop();
    for (const client of clients) client.close();
  }
}

function sumCpu(trees: readonly ReturnType<typeof watchTree>[]): number {
  return trees.reduce((sum, tree) => sum + total(tree.cpu()), 0);
}

function total({ rootMs, descendantsMs }: { rootMs: number; descendantsMs: number }): number {
  return rootMs + descendantsMs;
}

function print(disk: string, count: number, row: Row): void {
  const percent = (type: string) => `${(shareOfWaits(row.waits, type) * 100).toFixed(1)} %`;
  const cells = [
    [count, 5],
    [row.runsPerSecond.toFixed(0), 8],
    [row.p50Ms.toFixed(0), 8],
    [row.nodesMs.toFixed(2), 24],
    [row.databaseMs.toFixed(2), 10],
    [row.statements.toFixed(2), 12],
    [row.logBytes.toFixed(0), 11],
    [percent("Lock"), 16],
    [percent("LWLock"), 8],
  ] as const;
  const text = cells.map(([cell, width]) => String(cell).padStart(width)).join("");
  process.stdout.write(`${disk}${text}  ${describeWaits(row.waits)}\n`);
}
