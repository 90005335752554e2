import { describe, expect, test } from "vitest";
import { shownColumns, sortItems } from "./table-column.tsx";
import type { Column } from "./table-column.tsx";

const cell = () => null;
const columns = [
  { id: "name", label: "Name", cell, width: "1fr", sortBy: ({ name }: Item) => name },
  { id: "used", label: "Used", cell, width: "1fr", sortBy: ({ used }: Item) => used },
  { id: "other", label: "Other", cell, width: "1fr" },
];
type Item = { name: string; used: number };
const items: Item[] = [
  { name: "key 10", used: 2 },
  { name: "Key 9", used: 10 },
  { name: "alpha", used: 2 },
];

describe("sortItems", () => {
  const namesBy = (column: string, isDescending: boolean) =>
    sortItems(items, columns, { column, isDescending }).map(({ name }) => name);

  test("sorts texts like people do, and numbers by their value", () => {
    expect(namesBy("name", false)).toEqual(["alpha", "Key 9", "key 10"]);
    expect(namesBy("name", true)).toEqual(["key 10", "Key 9", "alpha"]);
    expect(namesBy("used", true)).toEqual(["Key 9", "key 10", "alpha"]);
  });

  test("leaves the order of a column that has no value to sort by", () => {
    expect(namesBy("other", true)).toEqual(items.map(({ name }) => name));
    expect(sortItems(items, columns, undefined)).toBe(items);
  });
});

describe("shownColumns", () => {
  const withContent = { ...columns[1], hasContent: ({ used }: Item) => used > 5 };
  const all = [columns[0], withContent] as Column<Item>[];
  const idsOf = (rows: Item[], hidden: string[] = []) =>
    shownColumns(all, rows, new Set(hidden)).map(({ id }) => id);

  test("leaves out what the user hid, and columns without content in all rows", () => {
    expect(idsOf(items)).toEqual(["name", "used"]);
    expect(idsOf(items, ["used"])).toEqual(["name"]);
    expect(idsOf(items.filter(({ used }) => used <= 5))).toEqual(["name"]);
  });
});
