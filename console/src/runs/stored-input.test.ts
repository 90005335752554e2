import { afterEach, expect, test, vi } from "vitest";
import { clearInputs, storeInput, loadInput } from "./stored-input.ts";

const place = { workspaceId: "w1", userId: "u1", toolName: "weather_ab12", from: "" };
const schema = { type: "object", properties: { city: { type: "string" } } };

/** What a browser's storage does as far as it matters here. */
function startStorage(room = Number.POSITIVE_INFINITY): void {
  const items: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    removeItem: (key: string) => {
      delete items[key];
    },
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new DOMException("No room", "QuotaExceededError");
      items[key] = value;
    },
  };
  const storage = new Proxy(items, {
    get: (_, name) => methods[name as keyof typeof methods],
  });
  vi.stubGlobal("sessionStorage", storage);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test("what was filled in is there again, for the same workspace, person, tool and address", () => {
  startStorage();
  storeInput(place, schema, { city: "Rome" });
  expect(loadInput(place, {})).toEqual({ city: "Rome" });
  expect(loadInput(place, { city: "Rome" })).toBeUndefined();
  expect(loadInput({ ...place, userId: "u2" }, {})).toBeUndefined();
  expect(loadInput({ ...place, workspaceId: "w2" }, {})).toBeUndefined();
  expect(loadInput({ ...place, from: "again r1" }, {})).toBeUndefined();
  clearInputs();
  expect(loadInput(place, {})).toBeUndefined();
});

test("secrets and what is too much are not kept", () => {
  startStorage(50);
  const secret = { properties: { token: { type: "string", writeOnly: true } } };
  storeInput(place, schema, { city: "Rome" });
  storeInput(place, secret, { token: "s3cret" });
  expect(loadInput(place, {})).toBeUndefined();
  storeInput(place, schema, { city: "R".repeat(60) });
  storeInput(place, schema, { city: "R".repeat(200_000) });
  expect(loadInput(place, {})).toBeUndefined();
});
