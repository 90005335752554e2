import { createRedactor } from "@toolhost/sandbox";
import { describe, expect, it } from "vitest";
import { recordedInput } from "./recorded-input.ts";

const redact = createRedactor([{ name: "KEY", value: "secret-value" }]);

describe("recordedInput", () => {
  it("redacts credentials without blocking the event loop", async () => {
    const input = { text: "c2VjcmV0".repeat(120_000), key: "a secret-value", n: 1 };
    const whole = JSON.stringify(input);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const recorded = await recordedInput({ input, shown: input, whole }, redact);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
    expect(recorded).toEqual({
      whole,
      shown: JSON.stringify({ ...input, key: "a [redacted KEY]" }),
    });
  });

  it("returns an input without credentials unchanged", async () => {
    const input = { text: "nothing" };
    const whole = JSON.stringify(input);
    expect(await recordedInput({ input, shown: input, whole }, redact)).toEqual({
      whole,
      shown: whole,
    });
  });
});
