import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
 * Puts the same load on one, two and three nodes of one PostgreSQL server, and prints what a run costs with each. More nodes cannot be
 * faster on a machine whose cores are all in use, so the figures that count are costs of a run and waits for locks. Without waits for the
 * disk, the cores are the limit.
 */

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const { seconds } = readOptions(process.argv.slice(2));
const nodeCounts = [1, 2, 3];
const concurrency = 24;
/** Other work of a node, such as a claim of the queue, needs time to start and to end. */
const warmUpSeconds = 4;

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

const folder = mkdtempSync(join(tmpdir(), "bench-nodes-"));
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
  process.stdout.write(
    "disk    nodes  runs/s  p50 ms  CPU ms of a run: nodes  database  statements  log bytes  waits for Lock  LWLock  most frequent\n",
  );
  for (const count of nodeCounts) {
    while (nodes.length < count) nodes.push(await startNode(folderOf(nodes.length), settings));
    for (const waits of [true, false]) {
      await postgres.waitForDisk(waits);
      const row = await measure(postgres, nodes, { apiKey: first.apiKey, tool });
      print((waits ? "waits" : "no wait").padEnd(8), count, row);
    }
  }
} finally {
  await Promise.all(nodes.map((node) => node.stop()));
  await postgres.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function folderOf(index: number): string {
  const path = join(folder, String(index));
  mkdirSync(path);
  return path;
}

async function measure(
  meter: PostgresMeter,
  live: readonly Node[],
  { apiKey, tool }: { apiKey: string; tool: string },
): Promise<Row> {
  const clients = live.map(({ port }) => openClient(port));
  const calls = clients.map((client) => runCall(client, apiKey, tool));
  const trees = live.map(({ pid }) => watchTree(pid));
  let next = 0;
  const run = async () => void (await calls[next++ % calls.length]?.());
  try {
    await runLoad(concurrency, warmUpSeconds, run);
    const cpuMs = () => trees.reduce((sum, tree) => sum + total(tree.cpu()), 0);
    const before = cpuMs();
    const end = await meter.measure();
    const endSamples = meter.sampleWaits();
    const { latenciesMs, problems, seconds: took } = await runLoad(concurrency, seconds * 3, run);
    const [usage, waits] = [await end(), await endSamples()];
    if (problems[0] !== undefined) throw new Error(problems[0]);
    const runs = latenciesMs.length;
    return {
      runsPerSecond: runs / took,
      p50Ms: median(latenciesMs),
      nodesMs: (cpuMs() - before) / runs,
      databaseMs: usage.cpuMs / runs,
      statements: usage.statements / runs,
      logBytes: usage.logBytes / runs,
      waits,
    };
  } finally {
    for (const tree of trees) tree.stop();
    for (const client of clients) client.close();
  }
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
