/** Formats a number with grouped digits and without rounding. */
export function formatNumber(value: number): string {
  const isPlain = Number.isFinite(value) && Math.abs(value) < 1e15 && !isTiny(value);
  if (!isPlain) return String(value);
  return value.toLocaleString(undefined, { maximumFractionDigits: 20 });
}

function isTiny(value: number): boolean {
  return value !== 0 && Math.abs(value) < 1e-6;
}

const units = ["bytes", "kB", "MB", "GB", "TB"];

/** Formats a number of bytes. */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}

/** Formats a duration. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}
