import type { Options } from "./options.ts";
import type { Takeover } from "./takeovers.ts";

/** What came out of it. */
export type Report = {
  options: Options;
  /** What each rule that is broken was broken by. */
  complaints: ReadonlyMap<string, readonly string[]>;
  counts: ReadonlyMap<string, number>;
  /** How long each order took, retries and all. */
  ordersMs: readonly number[];
  /** Seconds in which clients asked. */
  loadSeconds: number;
  takeovers: readonly Takeover[];
  /** Where the nodes' logs are, if something was wrong. */
  logs: string | undefined;
};

const shownPerRule = 10;

/** The report as text for people. */
export function renderReport(report: Report): string {
  const { options, counts, ordersMs, loadSeconds, takeovers, complaints, logs } = report;
  const { seconds, clients, nodes, seed } = options;
  const lines = [
    `chaos: ${seconds} s, ${clients} clients, ${nodes} nodes, --seed ${seed}`,
    `${ordersMs.length} orders in ${loadSeconds.toFixed(0)} s: ${(ordersMs.length / loadSeconds).toFixed(1)} runs/s`,
    `an order took, retries and all: ${spread(ordersMs)}`,
    ...[...counts.keys()].toSorted().map((what) => `  ${what}: ${counts.get(what)}`),
    `runs under way at a SIGKILL: ${takeovers.length}, until they had ended: ${spread(takeovers.map(({ tookMs }) => tookMs))}`,
    ...describeSlowest(takeovers),
  ];
  for (const [rule, broken] of complaints) {
    lines.push(`BROKEN: ${rule} (${broken.length} times)`);
    lines.push(...broken.slice(0, shownPerRule).map((what) => `  ${what}`));
  }
  if (complaints.size === 0) lines.push("Every promise was kept.");
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

/** Median, 99th percentile and largest of durations in milliseconds, in words. */
export function spread(valuesMs: readonly number[]): string {
  if (valuesMs.length === 0) return "none";
  const sorted = valuesMs.toSorted((one, other) => one - other);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}
