import type { ColdStart } from "./cold-start.ts";
import type { Machine } from "./machine.ts";
import type { Measurement } from "./measure.ts";
import type { TreeMemory } from "./process-tree.ts";
import { goalRows } from "./goals.ts";
import type { Measured } from "./goals.ts";
import type { Ratio } from "./ratios.ts";
import { isolations, workspaceConcurrency } from "./settings.ts";
import type { SubjectName } from "./subjects.ts";
import { fixed, table } from "./table.ts";

/** The results of one benchmark, as in the JSON file. */
export type Report = {
  machine: Machine & { layer: string; database: string };
  seconds: number;
  rounds: number;
  /** Medians over the rounds, for each cell. */
  cells: Measurement[];
  ratios: Ratio[];
  /** The figures that goals limit. */
  measured: Measured[];
  coldStart: ColdStart;
  /** Memory of the service when idle and after the load. */
  memory: { before: TreeMemory; after: TreeMemory };
  /** Every measurement, by round. */
  measurements: Measurement[][];
  problems: string[];
};

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
    "Service compared with bare pool",
    ...table(ratioRows(report.ratios)),
    "",
    ...table(goalRows(report.measured)),
    "",
    `First run after save: p50 ${fixed(coldStart.p50Ms)} ms, p99 ${fixed(coldStart.p99Ms)} ms (${coldStart.runs} tools). The second run: p50 ${fixed(coldStart.warmP50Ms)} ms`,
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
    ["isolate", "at once", "CPU ms/run", "CPU ratio", "p50 ratio", "req/s ratio"],
    ...ratios.map(({ isolation, concurrency, p50, cpu, cpuMs, requestsPerSecond }) => [
      isolation,
      `${concurrency}`,
      ...[cpuMs, cpu, p50, requestsPerSecond].map((value) => fixed(value)),
    ]),
  ];
}

function megabytes(bytes: number | undefined): string {
  return bytes === undefined || Number.isNaN(bytes)
    ? "not shown to us"
    : `${Math.round(bytes / 1024 / 1024)} MiB`;
}
