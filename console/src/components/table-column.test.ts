import { describe, expect, test } from "vitest";
import { sortItems } from "./table-column.tsx";

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
