import type { ReactNode } from "react";

/** A column of a table. */
export type Column<Item> = {
  id: string;
  label: string;
  cell: (item: Item) => ReactNode;
  /** Its track of the grid, such as `minmax(0,2fr)`. */
  width: string;
  /** Where it is on a phone: what the row is called, beside that, in one line or in full below, with others below, or nowhere. */
  phone?: "title" | "end" | "line" | "wrap" | "below" | "none";
  /** Whether a phone shows its label before the cell, because the cell alone does not say what it is. */
  isLabeled?: boolean;
  isEnd?: boolean;
  /** Whether the cell has content. A column without content in all rows is left out. */
  hasContent?: (item: Item) => boolean;
  /** Shown only after the user chose it. */
  isOptional?: boolean;
  /** What the rows can be sorted by. Without it, the table sorts only what its owner can sort. */
  sortBy?: (item: Item) => string | number;
};

/** The column that orders the rows. */
export type Sorting = { column: string; isDescending: boolean };

/** The columns that the user did not hide and that have content. */
export function shownColumns<Item>(
  columns: readonly Column<Item>[],
  items: readonly Item[],
  hidden: ReadonlySet<string>,
): Column<Item>[] {
  return columns.filter(
    ({ id, hasContent }) =>
      !hidden.has(id) && (hasContent === undefined || items.some((item) => hasContent(item))),
  );
}

/** The items in the order of a column. Of equal ones, those stay first that were. */
export function sortItems<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  sorting: Sorting | undefined,
): readonly Item[] {
  const sortBy = columns.find(({ id }) => id === sorting?.column)?.sortBy;
  if (sortBy === undefined || sorting === undefined) return items;
  const order = sorting.isDescending ? -1 : 1;
  return items.toSorted((a, b) => order * compare(sortBy(a), sortBy(b)));
}

function compare(one: string | number, other: string | number): number {
  return typeof one === "number" && typeof other === "number"
    ? one - other
    : String(one).localeCompare(String(other), undefined, { numeric: true });
}
