import { afterEach, describe, expect, test, vi } from "vitest";
import { clearInputs, storeInput, loadInput } from "./stored-input.ts";

const formKey = { workspaceId: "w1", userId: "u1", toolName: "weather_ab12", from: "" };
const schema = { type: "object", properties: { city: { type: "string" } } };

/** Stubs `sessionStorage`, optionally with limited space. */
function startStorage(maxLength = Number.POSITIVE_INFINITY): void {
  const items: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    removeItem: (key: string) => {
      delete items[key];
    },
    setItem: (key: string, value: string) => {
      if (value.length > maxLength) throw new DOMException("No space", "QuotaExceededError");
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

describe("storeInput and loadInput", () => {
  test("restores the input for the same workspace, user, tool and URL only", () => {
    startStorage();
    storeInput(formKey, schema, { city: "Rome" });
    expect(loadInput(formKey, {})).toEqual({ city: "Rome" });
    expect(loadInput(formKey, { city: "Rome" })).toBeUndefined();
    expect(loadInput({ ...formKey, userId: "u2" }, {})).toBeUndefined();
    expect(loadInput({ ...formKey, workspaceId: "w2" }, {})).toBeUndefined();
    expect(loadInput({ ...formKey, from: "again r1" }, {})).toBeUndefined();
    clearInputs();
    expect(loadInput(formKey, {})).toBeUndefined();
  });

  test("omits secrets and long input", () => {
    startStorage(50);
    const secret = { properties: { token: { type: "string", writeOnly: true } } };
    storeInput(formKey, schema, { city: "Rome" });
    storeInput(formKey, secret, { token: "s3cret" });
    expect(loadInput(formKey, {})).toBeUndefined();
    storeInput(formKey, schema, { city: "R".repeat(60) });
    storeInput(formKey, schema, { city: "R".repeat(200_000) });
    expect(loadInput(formKey, {})).toBeUndefined();
  });
});
