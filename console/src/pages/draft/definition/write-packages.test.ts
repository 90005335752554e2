import { describe, expect, it } from "vitest";
import type { Draft, JsonObject } from "@toolhost/contract";
import { createDraftStore } from "../store/draft-store.ts";
import type { DraftStore } from "../store/draft-store.ts";
import { addPackage, packagesPath, writePackages } from "./write-packages.ts";

const at = "2026-11-01T00:00:00Z";

function open(source: JsonObject): DraftStore {
  const draft: Draft = {
    id: "d",
    toolName: null,
    title: "",
    baseVersion: null,
    import: null,
    createdAt: at,
    updatedAt: at,
    revision: 1,
    definition: { source },
  };
  return createDraftStore(draft, {
    save: () => new Promise(() => {}),
    load: () => Promise.resolve(draft),
    copies: { read: () => undefined, write: () => true, remove: () => undefined },
    broadcast: () => undefined,
    pauseMs: 1_000_000,
    retryMs: 1_000_000,
  });
}

const sourceOf = (store: DraftStore) => store.getState().definition["source"];
const textOf = (store: DraftStore) => store.getState().texts[packagesPath];

describe("writePackages", () => {
  it("stores invalid lines as text, and removes the packages without any", () => {
    const store = open({ code: "c", dependencies: { ms: "2.1.3" } });
    writePackages(store, ["ms@2.1.3", "zod"]);
    expect(textOf(store)).toBe("ms@2.1.3\nzod");
    expect(sourceOf(store)).toEqual({ code: "c", dependencies: { ms: "2.1.3" } });
    writePackages(store, []);
    expect(textOf(store)).toBeUndefined();
    expect(sourceOf(store)).toEqual({ code: "c" });
  });
});

describe("addPackage", () => {
  it("adds a package, and keeps the version of a declared one", () => {
    const store = open({ code: "c" });
    addPackage(store, "zod", "4.6.7");
    addPackage(store, "@scope/a", "1.0.0");
    addPackage(store, "zod", "5.0.0");
    expect(sourceOf(store)).toEqual({
      code: "c",
      dependencies: { zod: "4.6.7", "@scope/a": "1.0.0" },
    });
  });

  it("replaces the typed name, and keeps other invalid lines", () => {
    const store = open({ code: "c" });
    writePackages(store, ["ms", "zod", "a@1.0.0"]);
    addPackage(store, "zod", "4.6.7");
    expect(textOf(store)).toBe("ms\nzod@4.6.7\na@1.0.0");
    addPackage(store, "ms", "2.1.3");
    expect(textOf(store)).toBeUndefined();
    expect(sourceOf(store)).toEqual({
      code: "c",
      dependencies: { ms: "2.1.3", zod: "4.6.7", a: "1.0.0" },
    });
  });
});
