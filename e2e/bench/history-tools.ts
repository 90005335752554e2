import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HistoryCall } from "./history-calls.ts";
import { makeDatabase } from "./history-database.ts";
import { toolCalls } from "./history-tool-calls.ts";
import { openPostgresTools, openSqliteTools } from "./history-tool-rows.ts";
import type { ToolStore } from "./history-tool-rows.ts";
import { openClient } from "./http-client.ts";
import { median } from "./load.ts";
import { startMeteredPostgres } from "./postgres-meter.ts";
import type { PostgresMeter } from "./postgres-meter.ts";
import { readProcesses, watchTree } from "./process-tree.ts";
import { saveTool, startNode, startService } from "./service.ts";
import { drainMs, toolCode } from "./settings.ts";
import { fixed, table } from "./table.ts";

const fewTools = 10;
const rounds = 4;
const warmUps = 10;
/** A turn ends at this number of calls or after this time, whichever is first. */
const turn = { calls: 60, runs: 250, ms: 1_500 };
const idleMs = 5_000;
const mebibyte = 1024 * 1024;

/** A service with a number of tools. */
type Side = {
  tools: number;
  store: ToolStore;
  calls: HistoryCall[];
  /** CPU time of the service and its processes, in ms. */
  readCpu: () => number;
  /** Calls of the service to read from files and sockets. */
  countReads: () => number;
  memory: Record<string, number>;
  /** CPU time of the service until the first search has built its index. */
  firstSearchMs: number;
  close(): Promise<void>;
};

/** What a call costs in one turn. */
type Cost = {
  cpuMs: number;
  serverCpuMs: number;
  pages: number;
  reads: number;
};

/** Compares calls with few and with `tools` tools, on SQLite or on a PostgreSQL server of its own. */
export async function benchTools(
  folder: string,
  tools: number,
  { isOnPostgres }: { isOnPostgres: boolean },
): Promise<void> {
  const settings = {
    LOG_LEVEL: "error",
    WORKSPACE_MAX_TOOLS: "0",
    WORKSPACE_MAX_TOOL_BYTES: "0",
  };
  const meter = isOnPostgres ? await startMeteredPostgres() : undefined;
  try {
    await compare(folder, tools, settings, meter);
  } finally {
    await meter?.close();
  }
}

async function compare(
  folder: string,
  tools: number,
  settings: Record<string, string>,
  meter: PostgresMeter | undefined,
): Promise<void> {
  const database = meter === undefined ? "SQLite" : "PostgreSQL";
  const sides: Side[] = [];
  try {
    for (const copies of [fewTools, tools]) {
      print(`Creating ${copies} tools on ${database}`);
      const dataDir = join(folder, `${database}-${copies}`);
      sides.push(await startSide(dataDir, copies, settings, meter?.url));
    }
    const [few, many] = sides;
    if (few === undefined || many === undefined) return;
    print(`Measuring on ${database}`);
    process.stdout.write(`${describeSides(database, sides)}\n`);
    const rows = await measure(few, many, meter);
    process.stdout.write(`\n${table(rows).join("\n")}\n\n`);
  } finally {
    for (const side of sides) await side.close();
  }
}

async function startSide(
  dataDir: string,
  copies: number,
  settings: Record<string, string>,
  server: string | undefined,
): Promise<Side> {
  mkdirSync(dataDir);
  const database = await makeDatabase(server);
  const environment = { ...settings, DATABASE_URL: database?.url ?? "" };
  const { apiKey, tool } = await fill(dataDir, copies, environment);
  // A start after the tools exist, so that the service has nothing of their creation in memory.
  const node = await startNode(dataDir, environment);
  const store = await openStore(dataDir, database?.url);
  while ((await store.countUnsealed()) > 0) await sleep(500);
  await sleep(idleMs);
  const memory = { "after the start": memoryOf(node.pid) };
  const client = openClient(node.port);
  const calls = toolCalls(client, apiKey, tool);
  const watch = watchTree(node.pid);
  const startCpuMs = watch.cpu().rootMs;
  await calls.find(({ name }) => name.includes("service_search_tools"))?.call();
  const firstSearchMs = watch.cpu().rootMs - startCpuMs;
  for (const { call } of calls) for (let count = 0; count < warmUps; count++) await call();
  return {
    tools: await store.countTools(),
    store,
    calls,
    readCpu: () => {
      const { rootMs, descendantsMs } = watch.cpu();
      return rootMs + descendantsMs;
    },
    countReads: () => countReads(node.pid),
    memory: { ...memory, "with the search index": memoryOf(node.pid) },
    firstSearchMs,
    close: async () => {
      watch.stop();
      client.close();
      await store.close();
      await node.stop();
      await database?.drop();
    },
  };
}

/** Starts a service for the first time, and copies a tool that it has published. */
async function fill(
  dataDir: string,
  copies: number,
  settings: Record<string, string>,
): Promise<{ apiKey: string; tool: string }> {
  const service = await startService(dataDir, settings);
  try {
    const client = openClient(service.port);
    const content = { title: "Sum", code: toolCode, isolation: "reuse" };
    const tool = await saveTool(client, service.apiKey, content);
    client.close();
    const store = await openStore(dataDir, settings["DATABASE_URL"]);
    await store.copyTool(tool, copies - 1);
    await store.close();
    return { apiKey: service.apiKey, tool };
  } finally {
    await service.stop();
  }
}

async function openStore(dataDir: string, url: string | undefined): Promise<ToolStore> {
  return url ? openPostgresTools(url) : openSqliteTools(join(dataDir, "toolhost.db"));
}

/** A row for each call. Both services take turns, so that changes on the machine affect both equally. */
async function measure(few: Side, many: Side, meter: PostgresMeter | undefined) {
  const counted = meter === undefined ? "read calls" : "pages";
  const header = [
    "call",
    ...[few, many].map(({ tools }) => `CPU: ${tools}`),
    "ratio",
    ...(meter === undefined ? [] : [few, many].map(({ tools }) => `database: ${tools}`)),
    ...[few, many].map(({ tools }) => `${counted}: ${tools}`),
  ];
  const rows = [header];
  for (const [index, { name }] of few.calls.entries()) {
    const costs = new Map<Side, Cost[]>([few, many].map((side) => [side, []]));
    for (let round = 0; round < rounds; round++) {
      for (const side of round % 2 === 0 ? [few, many] : [many, few]) {
        costs.get(side)?.push(await costOf(side, index, meter));
      }
    }
    const [one = [], other = []] = [costs.get(few), costs.get(many)];
    const middle = (figure: keyof Cost) =>
      [one, other].map((side) => fixed(median(side.map((cost) => cost[figure]))));
    const ratios = other.map(({ cpuMs }, round) => cpuMs / (one[round]?.cpuMs ?? Number.NaN));
    const row = [
      name,
      ...middle("cpuMs"),
      fixed(median(ratios)),
      ...(meter === undefined ? [] : middle("serverCpuMs")),
      ...middle(meter === undefined ? "reads" : "pages"),
    ];
    print(row.join("  "));
    rows.push(row);
  }
  return rows;
}

async function costOf(side: Side, index: number, meter: PostgresMeter | undefined): Promise<Cost> {
  const made = side.calls[index];
  const isRun = made?.name === "a run";
  const maxCalls = isRun ? turn.runs : turn.calls;
  const pagesBefore = await side.store.countPages();
  const readsBefore = side.countReads();
  const cpuBefore = side.readCpu();
  const end = await meter?.measure();
  const endsAt = performance.now() + turn.ms;
  let count = 0;
  for (; count < maxCalls && performance.now() < endsAt; count++) await made?.call();
  if (isRun) await sleep(drainMs);
  const server = await end?.();
  const cpuMs = (side.readCpu() - cpuBefore) / count;
  const reads = (side.countReads() - readsBefore) / count;
  const pages = (await side.store.countPages()) ?? Number.NaN;
  return {
    cpuMs,
    serverCpuMs: (server?.cpuMs ?? Number.NaN) / count,
    pages: (pages - (pagesBefore ?? Number.NaN)) / count,
    reads,
  };
}

function describeSides(database: string, sides: readonly Side[]): string {
  const lines = sides.map(({ tools, memory, firstSearchMs }) => {
    const figures = Object.entries(memory).map(([when, size]) => `${fixed(size, 0)} MB ${when}`);
    return `${tools} tools: ${figures.join(", ")}; first search after the start ${fixed(firstSearchMs, 0)} ms of CPU.`;
  });
  return [`On ${database}, CPU in ms, medians of ${rounds} rounds.`, ...lines].join("\n");
}

/** The memory of the service's own process, in MB. */
function memoryOf(pid: number): number {
  const own = readProcesses(pid).find((one) => one.pid === pid);
  return (own?.pssBytes ?? Number.NaN) / mebibyte;
}

function countReads(pid: number): number {
  const counters = readFileSync(`/proc/${pid}/io`, "utf8");
  return Number(/^syscr: (\d+)$/m.exec(counters)?.[1]);
}

function print(words: string): void {
  process.stderr.write(`${words}\n`);
}
