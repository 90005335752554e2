import type { ImportItem } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { changeSelection, hasAll } from "./selection.ts";

const item = (key: string, parts: Partial<ImportItem> = {}): ImportItem => ({
  key,
  hash: "",
  title: key,
  description: "",
  tags: [],
  security: [],
  scopes: {},
  isDeprecated: false,
  isNew: false,
  isChanged: false,
  isOnHold: false,
  problem: null,
  toolName: null,
  draftId: null,
  schemaBytes: 2,
  ...parts,
});

const items = [item("GET /a"), item("GET /b"), item("GET /c", { toolName: "c_abcd" })];

describe("hasAll", () => {
  it("ignores items that cannot be selected", () => {
    const all = changeSelection(new Map(), items, true);
    expect([...all.keys()]).toEqual(["GET /a", "GET /b"]);
    expect(hasAll(all, items)).toBe(true);
  });

  it("is false after an item is deselected", () => {
    const all = changeSelection(new Map(), items, true);
    expect(hasAll(changeSelection(all, [item("GET /a")], false), items)).toBe(false);
  });

  it("is false without items that can be selected", () => {
    expect(hasAll(new Map(), items.slice(2))).toBe(false);
  });
});
