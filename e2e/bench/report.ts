import type { ColdStart } from "./cold-start.ts";
import type { Machine } from "./machine.ts";
import type { Measurement } from "./measure.ts";
import type { TreeMemory } from "./process-tree.ts";
import { concurrencies, isolations, workspaceConcurrency } from "./settings.ts";
import type { Isolation } from "./settings.ts";
import type { SubjectName } from "./subjects.ts";

/** The results of one benchmark, as in the JSON file. */
export type Report = {
  machine: Machine & { layer: string; database: string };
  seconds: number;
  rounds: number;
  /** Medians over the rounds, for each cell. */
  cells: Measurement[];
  ratios: Ratio[];
  coldStart: ColdStart;
  /** Memory of the service when idle and after the load. */
  memory: { before: TreeMemory; after: TreeMemory };
  /** Every measurement, by round. */
  measurements: Measurement[][];
  problems: string[];
};

/** The service compared with the bare pool in one cell. */
export type Ratio = {
  isolation: Isolation;
  concurrency: number;
  p50: number;
  cpu: number;
  /** CPU milliseconds of a run through the service. */
  cpuMs: number;
};

const goals = { p50: 3, cpuMs: { reuse: 5, fresh: 20 } } as const;

/** Divides each measurement of the service by the same one of the bare pool. */
export function compare(cells: readonly Measurement[]): Ratio[] {
  const find = (subject: SubjectName, isolation: Isolation, concurrency: number) =>
    cells.find(
      (cell) =>
        cell.subject === subject &&
        cell.isolation === isolation &&
        cell.concurrency === concurrency,
    );
  return isolations.flatMap((isolation) =>
    concurrencies.flatMap((concurrency) => {
      const service = find("service", isolation, concurrency);
      const pool = find("bare pool", isolation, concurrency);
      if (service === undefined || pool === undefined) return [];
      const [p50, cpu] = [service.p50Ms / pool.p50Ms, service.cpuMs / pool.cpuMs];
      return { isolation, concurrency, p50, cpu, cpuMs: service.cpuMs };
    }),
  );
}

/** Formats the report for a terminal. */
export function render(report: Report): string {
  const { machine, seconds, rounds, memory, coldStart, problems } = report;
  const { cores, processor, kernel, node, workerd, layer, database } = machine;
  const { loadAverage, diskSyncMs } = machine;
  return [
    `Machine: ${cores} cores (${processor}), Linux ${kernel}, Node ${node}, workerd ${workerd}, isolation ${layer}, database ${database}`,
    `Load average before: ${fixed(loadAverage)}. Disk sync: ${fixed(diskSyncMs)} ms.`,
    `Each cell: ${seconds} s, ${rounds === 1 ? "once" : `the median of ${rounds} rounds`}. The load generator runs on the same cores, but its CPU time is not included.`,
    `WORKSPACE_MAX_CONCURRENT_RUNS=${workspaceConcurrency} here, so that the service does not queue runs. The default is 16.`,
    "",
    ...table(cellRows(report.cells)),
    "",
    "Service compared with bare pool, and goals",
    ...table(ratioRows(report.ratios)),
    "",
    `Cold first run after save: p50 ${fixed(coldStart.p50Ms)} ms, p99 ${fixed(coldStart.p99Ms)} ms (${coldStart.runs} tools)`,
    `Service RSS: ${megabytes(memory.before.rootRssBytes)} before, ${megabytes(memory.after.rootRssBytes)} after`,
    `Tree PSS: ${megabytes(memory.before.treePssBytes)} before (${memory.before.processes} processes), ${megabytes(memory.after.treePssBytes)} after (${memory.after.processes} processes)`,
    problems.length === 0 ? "No errors" : `${problems.length} errors, the first: ${problems[0]}`,
    "",
  ].join("\n");
}

function cellRows(cells: readonly Measurement[]): string[][] {
  const subjects: SubjectName[] = ["service", "bare pool", "echo"];
  const sorted = subjects.flatMap((name) =>
    [...isolations, null].flatMap((isolation) =>
      cells.filter((cell) => cell.subject === name && cell.isolation === isolation),
    ),
  );
  const head = ["subject", "isolate", "at once", "req/s", "p50 ms", "p99 ms"];
  return [
    [...head, "CPU ms/req", "own process", "sandbox", "errors"],
    ...sorted.map((cell) => [
      cell.subject,
      cell.isolation ?? "-",
      `${cell.concurrency}`,
      fixed(cell.requestsPerSecond, 0),
      fixed(cell.p50Ms),
      fixed(cell.p99Ms),
      fixed(cell.cpuMs),
      fixed(cell.ownCpuMs),
      cell.subject === "echo" ? "-" : fixed(cell.sandboxCpuMs),
      `${cell.problems.length}`,
    ]),
  ];
}

function ratioRows(ratios: readonly Ratio[]): string[][] {
  return [
    ["isolate", "at once", "p50 ratio", "goal", "met", "CPU ms/run", "goal", "met", "CPU ratio"],
    ...ratios.map(({ isolation, concurrency, p50, cpu, cpuMs }) => [
      isolation,
      `${concurrency}`,
      fixed(p50),
      `< ${goals.p50}`,
      yesNo(p50 < goals.p50),
      fixed(cpuMs),
      `< ${goals.cpuMs[isolation]}`,
      yesNo(cpuMs < goals.cpuMs[isolation]),
      fixed(cpu),
    ]),
  ];
}

/** Pads columns to their widest cell, with text left-aligned and numbers right-aligned. */
export function table(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) =>
      column < 2 && Number.isNaN(Number(cell))
        ? cell.padEnd(widths[column] ?? 0)
        : cell.padStart(widths[column] ?? 0),
    );
  return rows.map((row) => line(row).join("  "));
}

/** Formats a number with fixed decimals, or a dash if undefined. */
export function fixed(value: number, digits = 2): string {
  return Number.isFinite(value) ? value.toFixed(digits) : "-";
}

function yesNo(isTrue: boolean): string {
  return isTrue ? "yes" : "no";
}

function megabytes(bytes: number | undefined): string {
  return bytes === undefined || Number.isNaN(bytes)
    ? "not shown to us"
    : `${Math.round(bytes / 1024 / 1024)} MiB`;
}
