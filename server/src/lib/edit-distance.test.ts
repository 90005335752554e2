import { expect, it } from "vitest";
import { editDistance } from "./edit-distance.ts";

it.each([
  ["weather", "weather", 0],
  ["wether", "weather", 1],
  ["waether", "weather", 1],
  ["weatherr", "weather", 1],
  ["wehtaer", "weather", 2],
  ["kitchen", "weather", 3],
])("counts the typing errors between %s and %s", (one, other, expected) => {
  expect(editDistance(one, other, 2)).toBe(expected);
});
