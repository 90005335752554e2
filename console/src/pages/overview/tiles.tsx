import type { RunCounts } from "@toolhost/contract";
import type { ReactNode } from "react";
import { formatDuration } from "#lib/format";
import { messages } from "./messages.ts";

const text = messages.tiles;
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/** The totals of the range. */
export function Tiles({
  totals: { completed, failed, cancelled, p50Ms, p95Ms },
}: {
  totals: RunCounts;
}): ReactNode {
  const ended = completed + failed;
  const rate = ended === 0 ? undefined : text.rate(percent.format(failed / ended));
  return (
    <dl aria-label={text.label} className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Tile label={text.runs} value={(ended + cancelled).toLocaleString("en")} />
      <Tile label={text.failed} value={failed.toLocaleString("en")} note={rate} />
      <Tile label={text.median} value={p50Ms === null ? text.none : formatDuration(p50Ms)} />
      <Tile label={text.slow} value={p95Ms === null ? text.none : formatDuration(p95Ms)} />
    </dl>
  );
}

function Tile({
  label,
  value,
  note,
}: {
  label: string;
  value: string;
  note?: string | undefined;
}): ReactNode {
  return (
    <div className="rounded-xl border border-line bg-paper p-4">
      <dt className="text-sm text-soft">{label}</dt>
      <dd>
        <span className="block text-xl font-semibold tabular-nums">{value}</span>
        {note === undefined ? null : <span className="text-sm text-soft">{note}</span>}
      </dd>
    </div>
  );
}
