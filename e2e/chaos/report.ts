import type { Options } from "./options.ts";
import type { Takeover } from "./takeovers.ts";

/** The results of a chaos test. */
export type Report = {
  options: Options;
  /** Details of violations, by guarantee. */
  violations: ReadonlyMap<string, readonly string[]>;
  counts: ReadonlyMap<string, number>;
  /** How long each order took, including retries. */
  ordersMs: readonly number[];
  /** Seconds during which clients sent requests. */
  loadSeconds: number;
  takeovers: readonly Takeover[];
  /** The folder of the nodes' logs, if there were violations. */
  logs: string | undefined;
};

const shownPerRule = 10;

/** Formats the report as text. */
export function renderReport(report: Report): string {
  const { options, counts, ordersMs, loadSeconds, takeovers, violations, logs } = report;
  const { seconds, clients, nodes, seed } = options;
  const lines = [
    `chaos: ${seconds} s, ${clients} clients, ${nodes} nodes, --seed ${seed}`,
    `${ordersMs.length} orders in ${loadSeconds.toFixed(0)} s: ${(ordersMs.length / loadSeconds).toFixed(1)} runs/s`,
    `duration of an order, including retries: ${spread(ordersMs)}`,
    ...[...counts.keys()].toSorted().map((what) => `  ${what}: ${counts.get(what)}`),
    `runs in progress at a SIGKILL: ${takeovers.length}, time until they ended: ${spread(takeovers.map(({ tookMs }) => tookMs))}`,
    ...describeSlowest(takeovers),
  ];
  for (const [rule, broken] of violations) {
    lines.push(`VIOLATED: ${rule} (${broken.length} times)`);
    lines.push(...broken.slice(0, shownPerRule).map((what) => `  ${what}`));
  }
  if (violations.size === 0) lines.push("No violations.");
  if (logs !== undefined) lines.push(`The nodes' logs are in ${logs}`);
  return `${lines.join("\n")}\n`;
}

function describeSlowest(takeovers: readonly Takeover[]): string[] {
  return takeovers
    .toSorted((one, other) => other.tookMs - one.tookMs)
    .slice(0, 3)
    .map(({ runId, killedAfterMs, tookMs }) => {
      const at = (killedAfterMs / 1_000).toFixed(1);
      return `  slowest: run ${runId}, ${(tookMs / 1_000).toFixed(1)} s after the kill at ${at} s`;
    });
}

/** Formats the median, 99th percentile and maximum of durations in milliseconds. */
export function spread(valuesMs: readonly number[]): string {
  if (valuesMs.length === 0) return "none";
  const sorted = valuesMs.toSorted((one, other) => one - other);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}
