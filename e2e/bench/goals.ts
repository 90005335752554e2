import type { ColdStart } from "./cold-start.ts";
import type { Measurement } from "./measure.ts";
import { concurrencies, isolations } from "./settings.ts";
import type { Isolation } from "./settings.ts";
import type { SubjectName } from "./subjects.ts";
import { fixed } from "./table.ts";

/** The service compared with the bare pool in one cell. */
export type Ratio = {
  isolation: Isolation;
  concurrency: number;
  p50: number;
  cpu: number;
  requestsPerSecond: number;
  /** CPU milliseconds of a run through the service. */
  cpuMs: number;
};

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
      const ratio = (figure: "p50Ms" | "cpuMs" | "requestsPerSecond") =>
        service[figure] / pool[figure];
      const { cpuMs } = service;
      const requestsPerSecond = ratio("requestsPerSecond");
      const [p50, cpu] = [ratio("p50Ms"), ratio("cpuMs")];
      return { isolation, concurrency, p50, cpu, requestsPerSecond, cpuMs };
    }),
  );
}
type Figure = "cpuMs" | "cpu" | "p50" | "requestsPerSecond";
type Goal = {
  name: string;
  isolation: Isolation;
  concurrency: number;
  figure: Figure;
  /** A limit, or the least if `isLeast`. */
  limit: number;
  isLeast?: boolean;
};

const reuse = (concurrency: number) => ({ isolation: "reuse" as const, concurrency });
const fresh = (concurrency: number) => ({ isolation: "fresh" as const, concurrency });

/** What the service is measured against. The ratios are to the bare pool, so they depend less on the machine. */
const goals: readonly Goal[] = [
  { name: "CPU ms of a run", ...reuse(1), figure: "cpuMs", limit: 2.4 },
  { name: "CPU ms of a run", ...reuse(16), figure: "cpuMs", limit: 1.6 },
  { name: "CPU ms of a run", ...reuse(64), figure: "cpuMs", limit: 1.6 },
  { name: "CPU ms of a run", ...fresh(1), figure: "cpuMs", limit: 15 },
  { name: "CPU ratio", ...fresh(1), figure: "cpu", limit: 1.15 },
  { name: "p50 ratio", ...reuse(1), figure: "p50", limit: 2.5 },
  { name: "p50 ratio", ...reuse(16), figure: "p50", limit: 1.5 },
  {
    name: "requests per second ratio",
    ...reuse(16),
    figure: "requestsPerSecond",
    limit: 0.6,
    isLeast: true,
  },
];
const maxColdMs = 25;

/** A table of the goals, with what was measured. */
export function goalRows({
  ratios,
  coldStart,
}: {
  ratios: readonly Ratio[];
  coldStart: ColdStart;
}): string[][] {
  const rows = goals.map(({ name, isolation, concurrency, figure, limit, isLeast = false }) => {
    const matches = (ratio: Ratio) =>
      ratio.isolation === isolation && ratio.concurrency === concurrency;
    const value = ratios.find(matches)?.[figure] ?? Number.NaN;
    const isMet = isLeast ? value >= limit : value <= limit;
    const place = `${name}, ${isolation}, ${concurrency} at once`;
    return [place, fixed(value), `${isLeast ? ">=" : "<="} ${limit}`, isMet ? "yes" : "no"];
  });
  const extraMs = coldStart.p50Ms - coldStart.warmP50Ms;
  const isMet = extraMs <= maxColdMs ? "yes" : "no";
  return [
    ["goal", "measured", "limit", "met"],
    ...rows,
    ["ms of a first run beyond a second", fixed(extraMs), `<= ${maxColdMs}`, isMet],
  ];
}
