import type { ReactNode } from "react";
import { classes } from "#lib/class-names";
import { dotPath, highest, linePath, tickIndexes } from "./series.ts";
import type { Point, Series } from "./series.ts";

type Props = {
  summary: string;
  kind: "bars" | "lines";
  points: readonly Point[];
  series: readonly Series[];
  format: (value: number) => string;
};

const width = 720;
const height = 180;

/** Draws stacked bars or lines. The browser shows the values of a position as a tooltip. */
export function Plot({ summary, kind, points, series, format }: Props): ReactNode {
  const top = highest(points, series, kind === "bars");
  const step = width / Math.max(1, points.length);
  const y = (value: number) => height - (value / top) * height;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-soft tabular-nums">
      <div aria-hidden className="-my-2 flex flex-col justify-between text-right">
        <span>{format(top)}</span>
        {/* A half of a count is no count. */}
        <span>{Number.isInteger(top / 2) ? format(top / 2) : ""}</span>
        <span>{format(0)}</span>
      </div>
      <svg
        role="img"
        aria-label={summary}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-45 w-full border-b border-edge"
      >
        {[0, height / 2].map((at) => (
          <line
            key={at}
            x1={0}
            x2={width}
            y1={at}
            y2={at}
            stroke="var(--line)"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {kind === "bars"
          ? points.map((point, index) => (
              <Bar
                key={point.key}
                point={point}
                series={series}
                x={index * step}
                step={step}
                y={y}
              />
            ))
          : series.map((one) => <Line key={one.id} {...{ points, series: one, step, y }} />)}
        {points.map((point, index) => (
          <rect key={point.key} x={index * step} width={step} height={height} fill="transparent">
            <title>{tooltip(point, series, format)}</title>
          </rect>
        ))}
      </svg>
      <div aria-hidden className="relative col-start-2 h-6">
        {tickIndexes(points.length).map((index, at) => (
          <span
            key={points[index]?.key}
            // A phone has room for every second label.
            className={classes(
              "absolute top-0 flex -translate-x-1/2 flex-col items-center whitespace-nowrap before:h-1 before:w-px before:bg-edge first:translate-x-0 first:items-start",
              at % 2 === 1 && "max-sm:hidden",
            )}
            style={{ left: `${((index + (at === 0 ? 0 : 0.5)) / points.length) * 100}%` }}
          >
            {points[index]?.tick}
          </span>
        ))}
      </div>
    </div>
  );
}

/** A line, with dots where a value has no neighbors. */
function Line({
  points,
  series: { id, color, dashes },
  step,
  y,
}: {
  points: readonly Point[];
  series: Series;
  step: number;
  y: (value: number) => number;
}): ReactNode {
  const values = points.map((point) => point.values[id] ?? null);
  const at = (index: number, value: number) => [(index + 0.5) * step, y(value)] as const;
  const look = {
    fill: "none",
    stroke: color,
    strokeLinecap: "round",
    vectorEffect: "non-scaling-stroke",
  } as const;
  return (
    <>
      <path d={linePath(values, at)} {...look} strokeWidth={2} strokeDasharray={dashes} />
      <path d={dotPath(values, at)} {...look} strokeWidth={9} />
    </>
  );
}

function Bar({
  point: { values },
  series,
  x,
  step,
  y,
}: {
  point: Point;
  series: readonly Series[];
  x: number;
  step: number;
  y: (value: number) => number;
}): ReactNode {
  let below = 0;
  const gap = Math.min(2, step / 5);
  return series.map(({ id, color }) => {
    const value = values[id] ?? 0;
    if (value === 0) return null;
    const bottom = y(below);
    below += value;
    const top = y(below);
    return (
      <rect
        key={id}
        x={x + gap / 2}
        y={top}
        width={step - gap}
        height={bottom - top}
        fill={color}
      />
    );
  });
}

function tooltip(
  { label, values }: Point,
  series: readonly Series[],
  format: (value: number) => string,
): string {
  const lines = series.map(({ id, label: name }) => {
    const value = values[id];
    return value === null || value === undefined ? undefined : `${name}: ${format(value)}`;
  });
  return [label, ...lines.filter((line) => line !== undefined)].join("\n");
}
