import type { ReactNode } from "react";
import { highest, linePath } from "./series.ts";
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
      <div aria-hidden className="flex flex-col justify-between text-right">
        <span>{format(top)}</span>
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
          : series.map(({ id, color, dashes }) => (
              <path
                key={id}
                d={linePath(
                  points.map(({ values }) => values[id] ?? null),
                  (index, value) => [(index + 0.5) * step, y(value)],
                )}
                fill="none"
                stroke={color}
                strokeWidth={2}
                strokeDasharray={dashes}
                strokeLinecap="round"
                vectorEffect="non-scaling-stroke"
              />
            ))}
        {points.map((point, index) => (
          <rect key={point.key} x={index * step} width={step} height={height} fill="transparent">
            <title>{tooltip(point, series, format)}</title>
          </rect>
        ))}
      </svg>
      <div aria-hidden className="col-start-2 flex justify-between gap-2 pt-1">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </div>
    </div>
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
