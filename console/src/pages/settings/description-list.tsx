import type { ReactNode } from "react";

/** Names with their values, in as many columns as fit. */
export function DescriptionList({
  items,
}: {
  items: readonly (readonly [string, string])[];
}): ReactNode {
  return (
    <dl className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2 lg:grid-cols-3">
      {items.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-3 border-b border-line pb-1">
          <dt className="min-w-0 text-soft">{name}</dt>
          <dd className="shrink-0 text-right font-medium whitespace-nowrap">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
