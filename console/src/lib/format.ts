const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
  ["year", Number.POSITIVE_INFINITY],
];

/** "3 minutes ago", "in 2 days". */
export function formatRelativeTime(at: Date, now: Date): string {
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  let amount = (at.getTime() - now.getTime()) / 1_000;
  for (const [unit, count] of steps) {
    if (Math.abs(amount) < count) return format.format(Math.round(amount), unit);
    amount /= count;
  }
  return at.toISOString();
}

/** "12 ms", "3.4 s", "15 min", "2 min 5 s". */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = `${Math.floor(seconds / 60)} min`;
  return seconds % 60 === 0 ? minutes : `${minutes} ${seconds % 60} s`;
}

/** "512 B", "1.4 MiB". */
export function formatBytes(count: number): string {
  if (count < 1_024) return `${count} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let amount = count / 1_024;
  let unit = 0;
  while (amount >= 1_024 && unit < units.length - 1) {
    amount /= 1_024;
    unit += 1;
  }
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${units[unit] ?? ""}`;
}
