import type { ColdStart } from "./cold-start.ts";
import type { Measured } from "./goals.ts";
import type { Measurement } from "./measure.ts";
import { concurrencies, isolations } from "./settings.ts";
import type { Isolation } from "./settings.ts";
import type { SubjectName } from "./subjects.ts";

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

/** The figures that goals limit. */
export function goalFigures(ratios: readonly Ratio[], coldStart: ColdStart): Measured[] {
  const firstRunMs = coldStart.p50Ms - coldStart.warmP50Ms;
  return [
    ...ratios.flatMap(
      ({ isolation, concurrency, cpuMs, cpu, p50, requestsPerSecond }): Measured[] =>
        isolation === "reuse"
          ? [
              { figure: "reuse cpuMs", concurrency, value: cpuMs },
              { figure: "reuse p50", concurrency, value: p50 },
              { figure: "reuse requestsPerSecond", concurrency, value: requestsPerSecond },
            ]
          : [
              { figure: "fresh cpuMs", concurrency, value: cpuMs },
              { figure: "fresh cpu", concurrency, value: cpu },
            ],
    ),
    { figure: "first run ms", concurrency: 1, value: firstRunMs },
  ];
}
