import { expect, test } from "vitest";
import {
  addDocument,
  countDocuments,
  createInvertedIndex,
  removeDocument,
  unpackFrequency,
} from "./inverted-index.ts";

const fields = (text: string) => ({
  name: text.split(" "),
  description: text.split(" "),
  parameterNames: [],
  parameterDescriptions: [],
});

test("removes every trace of a document", () => {
  const index = createInvertedIndex();
  const kept = addDocument(index, fields("weather forecast"));
  const before = structuredClone({ terms: index.terms, totals: index.totals, size: index.size });
  for (let round = 0; round < 1_000; round += 1) {
    removeDocument(index, addDocument(index, fields(`weather round${round}`)));
  }
  expect({ terms: index.terms, totals: index.totals, size: index.size }).toEqual(before);
  expect(index.documents.length).toBe(2);
  expect(countDocuments(index)).toBe(1);

  removeDocument(index, kept);
  removeDocument(index, kept);
  removeDocument(index, 99);
  expect(index.terms.size).toBe(0);
  expect(index.size).toBe(0);
  expect(index.totals).toEqual([0, 0, 0, 0]);
  expect(countDocuments(index)).toBe(0);
});

test("counts few repeats of a term in a field", () => {
  const index = createInvertedIndex();
  const many = Array<string>(1_000).fill("x");
  addDocument(index, {
    name: many,
    description: many,
    parameterNames: many,
    parameterDescriptions: many,
  });
  const [slot, packed = 0] = index.terms.get("x")?.entries ?? [];
  expect(slot).toBe(0);
  expect([0, 1, 2, 3].map((field) => unpackFrequency(packed, field))).toEqual([1, 2, 3, 3]);
  expect(index.totals).toEqual([500, 500, 500, 500]);
});
