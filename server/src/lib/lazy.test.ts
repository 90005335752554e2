import { expect, it } from "vitest";
import { lazy } from "./lazy.ts";

it("creates a value once for all callers, and retries after a failure", async () => {
  let asked = 0;
  const get = lazy(async () => {
    asked += 1;
    if (asked === 1) throw new Error("not yet");
    return asked;
  });
  expect(asked).toBe(0);
  await expect(get()).rejects.toThrow("not yet");
  expect(await Promise.all([get(), get()])).toEqual([2, 2]);
  expect(await get()).toBe(2);
});
