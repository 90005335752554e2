import { Badge, When } from "./badges.tsx";
import { messages } from "./messages-table.ts";
import type { Column } from "./table-column.tsx";

type TimeColumn<Item> = Pick<Column<Item>, "id" | "label" | "phone"> & {
  at: (item: Item) => string | null;
};

/** A column of times. Items without one sort first, and show `none`. */
export function timeColumn<Item>({
  at,
  none = messages.never,
  ...column
}: TimeColumn<Item> & { none?: string }): Column<Item> {
  return {
    ...column,
    width: "7.5rem",
    isLabeled: true,
    sortBy: (item) => Date.parse(at(item) ?? "1970"),
    cell: (item) => {
      const time = at(item);
      if (time === null && none === "") return null;
      return <span className="text-soft">{time === null ? none : <When at={time} />}</span>;
    },
  };
}

/** A column of expiration times. Items that never expire sort last. */
export function expirationColumn<Item>(column: TimeColumn<Item> & { now: number }): Column<Item> {
  const { now, ...rest } = column;
  const shown = timeColumn(rest);
  return {
    ...shown,
    sortBy: (item) => Date.parse(rest.at(item) ?? "9999"),
    cell: (item) =>
      Date.parse(rest.at(item) ?? "9999") < now ? (
        <Badge tone="bad">{messages.expired}</Badge>
      ) : (
        shown.cell(item)
      ),
  };
}
