import type { Draft, JsonObject } from "@toolhost/contract";
import { describe, expect, test, vi } from "vitest";
import { ApiProblem } from "#api/problem";
import { createDraftStore } from "./draft-store.ts";
import type { RemoteChange } from "./draft-store.ts";
import { createLocalCopies } from "./local-copies.ts";

const at = "2026-11-01T00:00:00Z";

function stage(definition: JsonObject = { title: "One" }) {
  const kept = new Map<string, string>();
  const copies = createLocalCopies({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
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
    createdAt: at,
    updatedAt: at,
    revision: service.revision,
    definition: service.definition,
  });
  const told: RemoteChange[] = [];
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
      tell: (saved) => told.push(saved),
      pauseMs: 0,
      retryMs: 1,
    });
  return { kept, service, told, open };
}

/** How long a busy machine may take; it tells nothing of speed. */
const patient = { timeout: 10_000 };

describe("a draft", () => {
  test("is kept in the browser at once and with the service soon after", async () => {
    const { kept, service, told, open } = stage();
    const store = open();
    store.change({ title: "Two" });
    expect(store.getState().status).toBe("waiting");
    expect(JSON.parse(kept.get("toolhost-draft-d") ?? "")).toMatchObject({
      revision: 1,
      definition: { title: "Two" },
    });
    await store.flush();
    expect(service).toMatchObject({ revision: 2, definition: { title: "Two" } });
    expect(store.getState()).toMatchObject({ revision: 2, status: "saved" });
    expect(told).toEqual([{ revision: 2, definition: { title: "Two" } }]);
    expect(kept.size).toBe(0);
  });

  test("saves what is typed while a save is under way", async () => {
    const { service, open } = stage();
    const store = open();
    store.change({ title: "Two" });
    const saving = store.flush();
    store.change({ title: "Three" });
    await saving;
    expect(service).toMatchObject({ revision: 3, definition: { title: "Three" } });
    expect(store.getState().status).toBe("saved");
  });

  test("is found again after the page died before it was saved", async () => {
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

  test("tries again by itself when the service was out of reach", async () => {
    const { service, open } = stage();
    service.failure = new ApiProblem(0, { code: "offline" });
    const store = open();
    store.change({ title: "Two" });
    await expect(store.flush()).rejects.toThrow(ApiProblem);
    service.failure = undefined;
    await vi.waitFor(() => expect(service.definition).toEqual({ title: "Two" }), patient);
  });
});

describe("a draft that is changed elsewhere, too", () => {
  test("takes over what another tab saved, unless it has changes of its own", async () => {
    const { open } = stage();
    const store = open();
    store.hear({ revision: 2, definition: { title: "Theirs" } });
    expect(store.getState()).toMatchObject({ revision: 2, definition: { title: "Theirs" } });
    store.hear({ revision: 1, definition: { title: "Late" } });
    expect(store.getState().definition).toEqual({ title: "Theirs" });
    store.change({ title: "Mine" });
    store.hear({ revision: 3, definition: { title: "Other" } });
    expect(store.getState().definition).toEqual({ title: "Mine" });
  });

  test("asks when it was changed elsewhere, and overwrites nothing until then", async () => {
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

  test("can be given up for what was saved elsewhere", async () => {
    const { kept, service, open } = stage();
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
    expect(kept.size).toBe(0);
  });

  test("takes a save whose answer was lost for what it is", async () => {
    const { service, open } = stage();
    const store = open();
    store.change({ title: "Two" });
    Object.assign(service, { revision: 2, definition: { title: "Two" } });
    await store.flush();
    expect(store.getState()).toMatchObject({ status: "saved", revision: 2 });
  });

  test("asks on opening when both this browser and somebody else changed it", () => {
    const { service, open } = stage();
    service.failure = new ApiProblem(0, { code: "offline" });
    open().change({ title: "Mine" });
    service.failure = undefined;
    Object.assign(service, { revision: 5, definition: { title: "Theirs" } });
    expect(open().getState()).toMatchObject({ status: "conflict", definition: { title: "Mine" } });
  });

  test("keeps text that is no JSON yet across a reload", () => {
    const { open } = stage();
    const store = open();
    store.setText("inputSchema", "{ half");
    expect(open().getState().texts).toEqual({ inputSchema: "{ half" });
    store.setText("inputSchema", undefined);
    expect(open().getState().texts).toEqual({});
  });

  test("says why the service does not take it", async () => {
    const { service, open } = stage();
    service.failure = new ApiProblem(413, { code: "payload_too_large", detail: "Too large." });
    const store = open();
    store.change({ title: "Two" });
    await expect(store.flush()).rejects.toThrow("Too large.");
    expect(store.getState()).toMatchObject({ status: "refused", problem: "Too large." });
  });
});

describe("a draft that cannot be saved, or not yet", () => {
  test.each([429, 503])(
    "tries again what was answered with %i, as it was no refusal",
    async (status) => {
      const { service, open } = stage();
      service.failure = new ApiProblem(status, { code: "unknown", detail: "Later." });
      const store = open();
      store.change({ title: "Two" });
      await expect(store.flush()).rejects.toThrow("Later.");
      expect(store.getState()).toMatchObject({ status: "offline", problem: "Later." });
      service.failure = undefined;
      await vi.waitFor(() => expect(store.getState().status).toBe("saved"), patient);
      expect(service.definition).toEqual({ title: "Two" });
    },
  );

  test("goes on when what was saved elsewhere could not be read", async () => {
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

  test("keeps in this browser what was typed when the draft was ended elsewhere", async () => {
    const { kept, service, told, open } = stage();
    service.failure = new ApiProblem(404, { code: "not_found" });
    const store = open();
    store.change({ title: "Mine" });
    await expect(store.flush()).rejects.toThrow(ApiProblem);
    store.change({ title: "Mine too" });
    expect(store.getState().status).toBe("gone");
    expect(JSON.parse(kept.get("toolhost-draft-d") ?? "")).toMatchObject({
      definition: { title: "Mine too" },
    });
    const other = open();
    other.end();
    expect(told).toEqual([{ isEnded: true }]);
    const third = open();
    third.hear({ isEnded: true });
    expect(third.getState().status).toBe("gone");
  });

  test("is changed by another order of its fields, which the form asks in", async () => {
    const { service, open } = stage({ inputSchema: { properties: { a: {}, b: {} } } });
    const store = open();
    store.change({ inputSchema: { properties: { b: {}, a: {} } } });
    await store.flush();
    expect(JSON.stringify(service.definition)).toBe(
      '{"inputSchema":{"properties":{"b":{},"a":{}}}}',
    );
  });
});
