import { writeFileSync } from "node:fs";
import { concurrencies } from "./settings.ts";
import { fixed } from "./table.ts";

/** What the goals limit. A ratio names what it is compared with. */
export type GoalFigure =
  | "reuse cpuMs"
  | "reuse p50"
  | "reuse requestsPerSecond"
  | "fresh cpuMs"
  | "fresh cpu"
  | "first run ms"
  | "many tools cpu"
  | "child cpu"
  | "mcp cpu"
  | "executor cpu"
  | "executor p50";

/** A measured figure. Those that no goal limits are not printed. */
export type Measured = { figure: GoalFigure; concurrency: number; value: number };

type Goal = {
  /** The row of the table in `docs/architecture/performance.md`. */
  text: string;
  figure: GoalFigure;
  /** The number of requests at once to which it applies. */
  at: readonly number[];
  /** A limit, or the least if `isLeast`. */
  limit: number;
  isLeast?: boolean;
  digits: number;
  isRatio?: boolean;
};

type Limit = Pick<Goal, "limit" | "digits" | "isRatio" | "isLeast">;

function goalOf(text: string, figure: GoalFigure, at: readonly number[], limit: Limit): Goal {
  return { text, figure, at, ...limit };
}

/** What the service is measured against. The ratios are to the bare pool, if the text names no other. */
const goals: readonly Goal[] = [
  goalOf("CPU ms of a run in a reused isolate, 1 at once", "reuse cpuMs", [1], {
    limit: 2.4,
    digits: 1,
  }),
  goalOf("the same, 16 and 64 at once", "reuse cpuMs", [16, 64], { limit: 1.6, digits: 1 }),
  goalOf("p50 of a run in a reused isolate, 1 at once", "reuse p50", [1], {
    limit: 2.5,
    digits: 1,
    isRatio: true,
  }),
  goalOf("the same, 16 at once", "reuse p50", [16], { limit: 1.5, digits: 1, isRatio: true }),
  goalOf("requests per second at 16 at once, at least", "reuse requestsPerSecond", [16], {
    limit: 0.6,
    digits: 2,
    isRatio: true,
    isLeast: true,
  }),
  goalOf("CPU ms of a run in a fresh isolate", "fresh cpuMs", concurrencies, {
    limit: 15,
    digits: 1,
  }),
  goalOf("the same as a ratio", "fresh cpu", concurrencies, {
    limit: 1.15,
    digits: 2,
    isRatio: true,
  }),
  goalOf("ms of a tool's first run beyond its second", "first run ms", [1], {
    limit: 25,
    digits: 0,
  }),
  goalOf("CPU of many tools in turn, to one tool", "many tools cpu", [1, 16], {
    limit: 2,
    digits: 1,
    isRatio: true,
  }),
  goalOf("CPU of a child run, to a run", "child cpu", [1, 16], {
    limit: 1.2,
    digits: 1,
    isRatio: true,
  }),
  goalOf("CPU of a run over MCP, to REST", "mcp cpu", [1, 16], {
    limit: 1.05,
    digits: 2,
    isRatio: true,
  }),
  goalOf("CPU of a run over MCP, to npm `executor`, 1 at once", "executor cpu", [1], {
    limit: 1.3,
    digits: 2,
    isRatio: true,
  }),
  goalOf("the same, 16 at once", "executor cpu", [16], { limit: 1.1, digits: 2, isRatio: true }),
  goalOf("p50 of a run over MCP, to npm `executor`, 1 at once", "executor p50", [1], {
    limit: 1.5,
    digits: 2,
    isRatio: true,
  }),
];

type Cell = Goal & { concurrency: number; value: number };

/** The goals that limit the measured figures, one row for each concurrency, for a terminal. */
export function goalRows(measured: readonly Measured[]): string[][] {
  const rows = cells(measured).map(({ text, concurrency, value, ...goal }) => [
    text,
    `${concurrency}`,
    fixed(value),
    `${goal.isLeast === true ? ">=" : "<="} ${goal.limit}`,
    isMet({ ...goal, value }) ? "yes" : "no",
  ]);
  return [["goal", "at once", "measured", "limit", "met"], ...rows];
}

/** Whether every measured figure meets its goal. */
export function areGoalsMet(measured: readonly Measured[]): boolean {
  return cells(measured).every((cell) => isMet(cell));
}

/** The table of all goals in `docs/architecture/performance.md`. Figures that are not measured are empty. */
export function goalMarkdown(measured: readonly Measured[]): string {
  const head = ["Goal", "Limit", ...concurrencies.map((concurrency) => `${concurrency} at once`)];
  const rows = goals.map((goal) => [
    goal.text,
    `${goal.limit}${goal.isRatio === true ? " x" : ""}`,
    ...concurrencies.map((concurrency) => {
      const value = valueOf(goal, concurrency, measured);
      if (value === undefined) return "";
      return `${value.toFixed(goal.digits)}${goal.isRatio === true ? " x" : ""}`;
    }),
  ]);
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const pad = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0);
  const line = (row: readonly string[]) => `| ${row.map(pad).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line), ""].join("\n");
}

/** Writes the figures to a file, if one is named. */
export function writeMeasured(file: string | undefined, measured: readonly Measured[]): void {
  if (file !== undefined) writeFileSync(file, `${JSON.stringify({ measured }, null, 2)}\n`);
}

function cells(measured: readonly Measured[]): Cell[] {
  return goals.flatMap((goal) =>
    goal.at.flatMap((concurrency) => {
      const value = valueOf(goal, concurrency, measured);
      return value === undefined ? [] : [{ ...goal, concurrency, value }];
    }),
  );
}

function valueOf(
  { figure, at }: Goal,
  concurrency: number,
  measured: readonly Measured[],
): number | undefined {
  if (!at.includes(concurrency)) return undefined;
  return measured.find((each) => each.figure === figure && each.concurrency === concurrency)?.value;
}

function isMet({ limit, isLeast, value }: Pick<Cell, "limit" | "isLeast" | "value">): boolean {
  return isLeast === true ? value >= limit : value <= limit;
}
