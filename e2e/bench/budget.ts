import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { summarizeStatement } from "../../server/src/telemetry/statements.ts";
import { hasPostgres } from "../src/postgres-server.ts";
import { exitOnSignals } from "./cleanup.ts";
import { attribute } from "./cpu-profile.ts";
import type { Profile } from "./cpu-profile.ts";
import { quantile, runLoad } from "./load.ts";
import { readOptions } from "./options.ts";
import { watchTree } from "./process-tree.ts";
import { measureCosts, withObserved } from "./run-costs.ts";
import type { Observed, RunCosts } from "./run-costs.ts";
import { drainMs } from "./settings.ts";

/**
 * Prints where the time and the bytes of a run go, on each database: the tables of docs/architecture/performance.md. The CPU time of
 * each process is measured; that of the main thread is divided by the shares of a profile, so the rows add up to the sum.
 */

exitOnSignals();

const { seconds } = readOptions(process.argv.slice(2));
const concurrencies = [1, 16] as const;

type Cpu = { rows: Map<string, number>; total: number; p50Ms: number };

for (const dialect of ["sqlite", "postgres"] as const) {
  if (dialect === "postgres" && !hasPostgres) continue;
  await withObserved(dialect, async (observed) => {
    const costs = await measureCosts(observed);
    const columns: Cpu[] = [];
    for (const concurrency of concurrencies) columns.push(await measureCpu(observed, concurrency));
    print(dialect, costs, columns);
  });
}

async function measureCpu({ service, store, call }: Observed, concurrency: number): Promise<Cpu> {
  const { pid } = service;
  const serverPid = store.serverPid;
  const watch = watchTree(pid);
  const server = serverPid === undefined ? undefined : watchTree(serverPid);
  const run = async () => void (await call());
  await runLoad(concurrency, seconds, run);
  const readAll = () => ({
    tree: watch.cpu(),
    server: server?.cpu(),
    main: threadMs(pid, String(pid)),
    all: readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + threadMs(pid, task), 0),
  });
  const before = readAll();
  const { latenciesMs, problems } = await runLoad(concurrency, seconds * 2, run);
  await sleep(drainMs);
  const after = readAll();
  // Separately, because the profiler needs CPU time itself.
  await service.ask("profile");
  await runLoad(concurrency, seconds * 2, run);
  const shares = attribute((await service.ask("end profile")) as Profile);
  watch.stop();
  server?.stop();
  if (problems[0] !== undefined) throw new Error(problems[0]);
  const perRun = (ms: number) => (ms * 1_000) / latenciesMs.length;
  const main = perRun(after.main - before.main);
  const rows = new Map([...shares].map(([name, share]) => [name, share * main]));
  rows.set("other threads: syncs, collector, compiler", perRun(after.all - before.all) - main);
  rows.set("sandbox processes", perRun(after.tree.descendantsMs - before.tree.descendantsMs));
  if (after.server !== undefined && before.server !== undefined) {
    const { rootMs, descendantsMs } = after.server;
    const usedMs = rootMs + descendantsMs - before.server.rootMs - before.server.descendantsMs;
    rows.set("PostgreSQL server", perRun(usedMs));
  }
  const total = [...rows.values()].reduce((sum, value) => sum + value, 0);
  return { rows, total, p50Ms: quantile(latenciesMs, 0.5) };
}

/** CPU time of a thread. */
function threadMs(pid: number, task: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}

function print(dialect: "sqlite" | "postgres", costs: RunCosts, columns: readonly Cpu[]): void {
  const name = dialect === "sqlite" ? "SQLite" : "PostgreSQL";
  const head = columns.map((_, index) => `${concurrencies[index]} at once`);
  const lines = [...(columns[0]?.rows.keys() ?? [])].map(
    (row) => `| ${row} | ${cells(columns.map(({ rows }) => rows.get(row) ?? 0))} |`,
  );
  const figures = [
    ["statements", costs.statements.length],
    ["syncs that the service waits for", costs.syncs],
    ["writes to the sandbox", costs.sandboxWrites],
    ["read calls to the kernel", costs.systemReads],
    ["write calls to the kernel", costs.systemWrites],
    ["bytes allocated", costs.allocatedBytes],
    ["bytes in the log of the database, with sealing", costs.logBytes],
    ["bytes in tables and indexes", costs.storedBytes],
  ] as const;
  const statements = costs.statements.map(
    ({ text, perRun, logBytes }) =>
      `| ${summarizeStatement(text)} | ${perRun} | ${dialect === "sqlite" ? "-" : logBytes.toFixed(0)} |`,
  );
  const text = [
    `CPU time of a run on ${name}, in microseconds`,
    "",
    `| part | ${head.join(" | ")} |`,
    `| --- | ${head.map(() => "---:").join(" | ")} |`,
    ...lines,
    `| **sum** | ${cells(columns.map(({ total }) => total))} |`,
    `| median latency | ${cells(columns.map(({ p50Ms }) => p50Ms * 1_000))} |`,
    "",
    `Counters of a run on ${name}, one at a time`,
    "",
    "| counter | per run |",
    "| --- | ---: |",
    ...figures.map(([figure, value]) => `| ${figure} | ${value.toFixed(0)} |`),
    "",
    "| statement | per run | bytes of log |",
    "| --- | ---: | ---: |",
    ...statements,
    "",
    "",
  ];
  process.stdout.write(text.join("\n"));
}

function cells(values: readonly number[]): string {
  return values.map((value) => value.toFixed(0)).join(" | ");
}
