import type { Draft, JsonObject } from "@toolhost/contract";
import { describe, expect, test, vi } from "vitest";
import { ApiProblem } from "#api/problem";
import { createDraftStore } from "./draft-store.ts";
import type { RemoteChange } from "./draft-store.ts";
import { createLocalCopies } from "./local-copies.ts";

const at = "2026-11-01T00:00:00Z";

function stage(definition: JsonObject = { title: "One" }) {
  const storage = new Map<string, string>();
  const copies = createLocalCopies({
    getItem: (key) => storage.get(key) ?? null,
    setItem: (key, value) => void storage.set(key, value),
    removeItem: (key) => void storage.delete(key),
  });
  const service = {
    revision: 1,
    definition,
    failure: undefined as Error | undefined,
    loadFailure: undefined as Error | undefined,
  };
  const draft = (): Draft => ({
    id: "d",
    toolName: null,
    title: "",
    baseVersion: null,
    import: null,
    createdAt: at,
    updatedAt: at,
    revision: service.revision,
    definition: service.definition,
  });
  const broadcasts: RemoteChange[] = [];
  const open = () =>
    createDraftStore(draft(), {
      copies,
      save: (revision, next) => {
        if (service.failure !== undefined) return Promise.reject(service.failure);
        if (revision !== service.revision)
          return Promise.reject(new ApiProblem(409, { code: "draft_changed" }));
        service.revision += 1;
        service.definition = next;
        return Promise.resolve({ revision: service.revision });
      },
      load: () =>
        service.loadFailure === undefined
          ? Promise.resolve(draft())
          : Promise.reject(service.loadFailure),
      broadcast: (change) => broadcasts.push(change),
      pauseMs: 0,
      retryMs: 1,
    });
  return { storage, service, broadcasts, open };
}

/** Generous, because a busy machine is slow; the tests do not measure speed. */
const patient = { timeout: 10_000 };

describe("createDraftStore", () => {
  test("stores a change in the browser immediately and saves it after a pause", async () => {
    const { storage, service, broadcasts, open } = stage();
    const store = open();
    store.change({ title: "Two" });
    expect(store.getState().status).toBe("waiting");
    expect(JSON.parse(storage.get("toolhost-draft-d") ?? "")).toMatchObject({
      revision: 1,
      definition: { title: "Two" },
    });
    await store.flush();
    expect(service).toMatchObject({ revision: 2, definition: { title: "Two" } });
    expect(store.getState()).toMatchObject({ revision: 2, status: "saved" });
    expect(broadcasts).toEqual([{ revision: 2, definition: { title: "Two" } }]);
    expect(storage.size).toBe(0);
  });

  test("saves changes made while a save is in flight", async () => {
    const { service, open } = stage();
    const store = open();
    store.change({ title: "Two" });
    const saving = store.flush();
    store.change({ title: "Three" });
    await saving;
    expect(service).toMatchObject({ revision: 3, definition: { title: "Three" } });
    expect(store.getState().status).toBe("saved");
  });

  test("restores unsaved changes after the page was closed", async () => {
    const { service, open } = stage();
    service.failure = new ApiProblem(0, { code: "offline" });
    const first = open();
    first.change({ title: "Two" });
    await expect(first.flush()).rejects.toThrow(ApiProblem);
    expect(first.getState().status).toBe("offline");
    service.failure = undefined;
    const second = open();
    expect(second.getState().definition).toEqual({ title: "Two" });
    await second.flush();
    expect(service.definition).toEqual({ title: "Two" });
  });

  test("retries when the service was unreachable", async () => {
    const { service, open } = stage();
    service.failure = new ApiProblem(0, { code: "offline" });
    const store = open();
    store.change({ title: "Two" });
    await expect(store.flush()).rejects.toThrow(ApiProblem);
    service.failure = undefined;
    await vi.waitFor(() => expect(service.definition).toEqual({ title: "Two" }), patient);
  });
});

describe("createDraftStore with changes elsewhere", () => {
  test("keeps its unsaved changes in the browser when another tab saves or publishes", async () => {
    const { storage, service, open } = stage();
    const mine = open();
    const other = open();
    service.failure = new ApiProblem(503, { code: "unavailable" });
    mine.change({ title: "Mine" });
    await expect(mine.flush()).rejects.toThrow(ApiProblem);
    service.failure = undefined;
    const stored = () => JSON.parse(storage.get("toolhost-draft-d") ?? "{}") as object;
    for (const change of [
      { revision: 2, definition: { title: "Theirs" } },
      { isEnded: true },
    ] as const) {
      other.end();
      expect(stored()).toEqual({});
      mine.receive(change);
      expect(stored()).toMatchObject({ definition: { title: "Mine" } });
    }
    expect(mine.getState().status).toBe("ended");
  });

  test("applies a save from another tab unless there are unsaved changes", async () => {
    const { open } = stage();
    const store = open();
    store.receive({ revision: 2, definition: { title: "Theirs" } });
    expect(store.getState()).toMatchObject({ revision: 2, definition: { title: "Theirs" } });
    store.receive({ revision: 1, definition: { title: "Late" } });
    expect(store.getState().definition).toEqual({ title: "Theirs" });
    store.change({ title: "Mine" });
    store.receive({ revision: 3, definition: { title: "Other" } });
    expect(store.getState().definition).toEqual({ title: "Mine" });
  });

  test("reports a conflict and overwrites nothing until it is resolved", async () => {
    const { service, open } = stage();
    const store = open();
    Object.assign(service, { revision: 2, definition: { title: "Theirs" } });
    store.change({ title: "Mine" });
    await expect(store.flush()).rejects.toThrow(ApiProblem);
    expect(store.getState()).toMatchObject({
      status: "conflict",
      definition: { title: "Mine" },
      theirs: { revision: 2, definition: { title: "Theirs" } },
    });
    expect(service.definition).toEqual({ title: "Theirs" });
    store.change({ title: "Mine too" });
    await store.keepMine();
    expect(service).toMatchObject({ revision: 3, definition: { title: "Mine too" } });
    expect(store.getState().theirs).toBeUndefined();
  });

  test("drops local changes when the other version is accepted", async () => {
    const { storage, service, open } = stage();
    const store = open();
    Object.assign(service, { revision: 2, definition: { title: "Theirs" } });
    store.change({ title: "Mine" });
    await expect(store.flush()).rejects.toThrow(ApiProblem);
    store.acceptTheirs();
    expect(store.getState()).toMatchObject({
      status: "saved",
      revision: 2,
      definition: { title: "Theirs" },
    });
    expect(storage.size).toBe(0);
  });

  test("recognizes its own save when the response was lost", async () => {
    const { service, open } = stage();
    const store = open();
    store.change({ title: "Two" });
    Object.assign(service, { revision: 2, definition: { title: "Two" } });
    await store.flush();
    expect(store.getState()).toMatchObject({ status: "saved", revision: 2 });
  });

  test("reports a conflict on opening when both sides changed", () => {
    const { service, open } = stage();
    service.failure = new ApiProblem(0, { code: "offline" });
    open().change({ title: "Mine" });
    service.failure = undefined;
    Object.assign(service, { revision: 5, definition: { title: "Theirs" } });
    expect(open().getState()).toMatchObject({ status: "conflict", definition: { title: "Mine" } });
  });

  test("restores invalid JSON after a reload", () => {
    const { open } = stage();
    const store = open();
    store.setText("inputSchema", "{ half");
    expect(open().getState().texts).toEqual({ inputSchema: "{ half" });
    store.setText("inputSchema", undefined);
    expect(open().getState().texts).toEqual({});
  });

  test("reports why a save was refused", async () => {
    const { service, open } = stage();
    service.failure = new ApiProblem(413, { code: "payload_too_large", detail: "Too large." });
    const store = open();
    store.change({ title: "Two" });
    await expect(store.flush()).rejects.toThrow("Too large.");
    expect(store.getState()).toMatchObject({ status: "refused", problem: "Too large." });
  });
});

describe("createDraftStore when a save fails", () => {
  test.each([429, 503])("retries after status %i", async (status) => {
    const { service, open } = stage();
    service.failure = new ApiProblem(status, { code: "unknown", detail: "Later." });
    const store = open();
    store.change({ title: "Two" });
    await expect(store.flush()).rejects.toThrow("Later.");
    expect(store.getState()).toMatchObject({ status: "offline", problem: "Later." });
    service.failure = undefined;
    await vi.waitFor(() => expect(store.getState().status).toBe("saved"), patient);
    expect(service.definition).toEqual({ title: "Two" });
  });

  test("retries when the other version could not be loaded", async () => {
    const { service, open } = stage();
    const store = open();
    Object.assign(service, { revision: 2, definition: { title: "Theirs" } });
    service.loadFailure = new ApiProblem(0, { code: "offline" });
    store.change({ title: "Mine" });
    await expect(store.flush()).rejects.toThrow(ApiProblem);
    service.loadFailure = undefined;
    await vi.waitFor(() => expect(store.getState().status).toBe("conflict"), patient);
    expect(store.getState().theirs?.definition).toEqual({ title: "Theirs" });
  });

  test("stores changes in the browser after the draft ended elsewhere", async () => {
    const { storage, service, broadcasts, open } = stage();
    service.failure = new ApiProblem(404, { code: "not_found" });
    const store = open();
    store.change({ title: "Mine" });
    await expect(store.flush()).rejects.toThrow(ApiProblem);
    store.change({ title: "Mine too" });
    expect(store.getState().status).toBe("ended");
    expect(JSON.parse(storage.get("toolhost-draft-d") ?? "")).toMatchObject({
      definition: { title: "Mine too" },
    });
    const other = open();
    other.end();
    expect(broadcasts).toEqual([{ isEnded: true }]);
    const third = open();
    third.receive({ isEnded: true });
    expect(third.getState().status).toBe("ended");
  });

  test("saves a new order of fields", async () => {
    const { service, open } = stage({ inputSchema: { properties: { a: {}, b: {} } } });
    const store = open();
    store.change({ inputSchema: { properties: { b: {}, a: {} } } });
    await store.flush();
    expect(JSON.stringify(service.definition)).toBe(
      '{"inputSchema":{"properties":{"b":{},"a":{}}}}',
    );
  });
});
