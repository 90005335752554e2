/** One of the values that a chart shows at each position. */
export type Series = {
  /** The name of the column in the table and the CSV file. */
  id: string;
  label: string;
  /** A CSS color, and for lines an optional pattern of dashes. */
  color: string;
  dashes?: string;
};

/** The values of all series at a position. */
export type Point = {
  /** The name of the position in the table, and in the CSV file. */
  label: string;
  /** A short form of the label for the axis. */
  tick: string;
  key: string;
  values: Readonly<Record<string, number | null>>;
};

/** A round number that is not less than the value, for the end of an axis. */
export function niceMax(value: number): number {
  if (value <= 1) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((factor) => factor * magnitude >= value) ?? 10;
  return step * magnitude;
}

/** The height of the highest position: the sum of stacked series, or the highest value. */
export function highest(
  points: readonly Point[],
  series: readonly Series[],
  isStacked: boolean,
): number {
  const heights = points.map(({ values }) => {
    const all = series.map(({ id }) => values[id] ?? 0);
    return isStacked ? all.reduce((sum, value) => sum + value, 0) : Math.max(0, ...all);
  });
  return niceMax(Math.max(0, ...heights));
}

/** The path of a line; it is interrupted where a value is missing. */
export function linePath(
  values: readonly (number | null)[],
  at: (index: number, value: number) => readonly [number, number],
): string {
  let isDrawn = false;
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawn = false;
        return "";
      }
      const [x, y] = at(index, value);
      const part = `${isDrawn ? "L" : "M"}${x} ${y}`;
      isDrawn = true;
      return part;
    })
    .join("");
}

/** The path of dots for values without neighbors, of which a line shows nothing. Round line ends make dots of it. */
export function dotPath(
  values: readonly (number | null)[],
  at: (index: number, value: number) => readonly [number, number],
): string {
  return values
    .map((value, index) => {
      const hasNeighbor =
        (values[index - 1] ?? null) !== null || (values[index + 1] ?? null) !== null;
      if (value === null || hasNeighbor) return "";
      const [x, y] = at(index, value);
      return `M${x} ${y}h.01`;
    })
    .join("");
}

const maxTicks = 8;

/** The indexes of the positions that the axis labels: equally far apart, and as many as have room. */
export function tickIndexes(count: number): number[] {
  const steps = [1, 2, 3, 4, 6, 12, 24, 48];
  const step = steps.find((one) => count / one <= maxTicks) ?? Math.ceil(count / maxTicks);
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
}
