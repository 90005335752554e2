import { toCsv } from "@toolhost/ui/csv";
import type { ReactNode } from "react";
import { Button } from "#components/button";
import { Card } from "#components/page";
import { saveFile } from "#lib/save-file";
import { messages } from "./messages.ts";
import { Plot } from "./plot.tsx";
import type { Point, Series } from "./series.ts";

/** A chart with its legend, the same values as a table, and a download. */
export function Chart({
  title,
  summary,
  kind,
  points,
  series,
  format,
  firstColumn,
}: {
  title: string;
  /** What the chart shows, for screen readers. */
  summary: string;
  kind: "bars" | "lines";
  points: readonly Point[];
  series: readonly Series[];
  format: (value: number) => string;
  /** The heading of the positions in the table and the CSV file. */
  firstColumn: string;
}): ReactNode {
  const save = () => {
    const rows = points.map(({ key, values }) => ({
      [firstColumn]: key,
      ...Object.fromEntries(series.map(({ id }) => [id, values[id] ?? null])),
    }));
    const name = `${title.toLowerCase().replaceAll(/\W+/g, "-")}.csv`;
    saveFile(new Blob([toCsv(rows)], { type: "text/csv" }), name);
  };
  const shown = (value: number | null | undefined) =>
    value === null || value === undefined ? messages.none : format(value);
  return (
    <Card
      title={title}
      actions={
        <Button look="quiet" aria-label={messages.downloadOf(title)} onPress={save}>
          {messages.download}
        </Button>
      }
    >
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
        {series.map(({ id, label, color }) => (
          <li key={id} className="flex items-center gap-1.5">
            <span aria-hidden className="size-2.5 rounded-sm" style={{ background: color }} />
            {label}
          </li>
        ))}
      </ul>
      <Plot summary={summary} kind={kind} points={points} series={series} format={format} />
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded text-strong">{messages.table}</summary>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Keyboards scroll only what has the focus. */}
        <div role="region" aria-label={title} tabIndex={0} className="mt-2 max-h-80 overflow-auto">
          <table className="w-full text-left tabular-nums">
            <thead>
              <tr className="border-b border-line">
                <th scope="col" className="py-1.5 pr-4 font-medium">
                  {firstColumn}
                </th>
                {series.map(({ id, label }) => (
                  <th key={id} scope="col" className="py-1.5 pr-4 text-right font-medium">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map(({ key, label, values }) => (
                <tr key={key} className="border-b border-line">
                  <th scope="row" className="py-1 pr-4 font-normal whitespace-nowrap">
                    {label}
                  </th>
                  {series.map(({ id }) => (
                    <td key={id} className="py-1 pr-4 text-right">
                      {shown(values[id])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Card>
  );
}
