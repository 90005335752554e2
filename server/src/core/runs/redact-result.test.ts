import { createRedactor } from "@toolhost/sandbox";
import { describe, expect, test } from "vitest";
import { redactResult, redactValue } from "./redact-result.ts";

const redact = createRedactor([{ name: "KEY", value: 'se"cret-value' }]);

describe("a value without secrets", () => {
  test("has a mark in the place of each, in texts and in names, and is as it was otherwise", () => {
    const value = {
      'a se"cret-value': [
        'se"cret-value',
        "",
        1,
        null,
        true,
        [],
        {},
        { deep: ['x se"cret-value'] },
      ],
      "": "after",
      __proto__: null,
    };
    expect(redactValue(value, redact)).toEqual({
      "a [redacted KEY]": [
        "[redacted KEY]",
        "",
        1,
        null,
        true,
        [],
        {},
        { deep: ["x [redacted KEY]"] },
      ],
      "": "after",
    });
  });

  test("keeps a name such as __proto__ a name", () => {
    const value: unknown = JSON.parse('{ "__proto__": { "a": "se\\"cret-value" } }');
    const clean = JSON.stringify(redactValue(value, redact));
    expect(clean).toBe('{"__proto__":{"a":"[redacted KEY]"}}');
  });

  test("is found none where its parts stand side by side", () => {
    const value = ['se"cret', "-value", "se", '"cret-value'];
    expect(redactValue(value, redact)).toBe(value);
  });

  test("is made in time that grows with its length alone", () => {
    const redactAll = createRedactor(
      Array.from({ length: 20 }, (_, i) => ({ name: `K${i}`, value: `value-${i}/+ü` })),
    );
    const texts = Array.from({ length: 1_000_000 }, () => "");
    const changed = redactValue([...texts, "value-3/+ü"], redactAll);
    expect(Array.isArray(changed) && changed.at(-1)).toBe("[redacted K3]");
    expect(redactValue(texts, redactAll)).toBe(texts);
  });
});

test("a log loses its secrets line by line", async () => {
  const entry = (message: string) => ({ at: 1, level: "info" as const, message });
  const usage = {
    logsTruncated: false,
    cpuMs: 0,
    durationMs: 0,
    waitMs: 0,
    reused: false,
    egress: [],
    secretUse: [],
  };
  const logs = [entry("one"), entry('two se"cret-value'), entry("three")];
  const result = await redactResult({ status: "cancelled", logs, ...usage }, redact);
  expect(result.logs.map(({ message }) => message)).toEqual(["one", "two [redacted KEY]", "three"]);
});

test("a long output is redacted while other work goes on", async () => {
  const outputJson = JSON.stringify(["\\".repeat(1_000_000), 'a se"cret-value'.repeat(10_000)]);
  const usage = {
    logs: [],
    logsTruncated: false,
    cpuMs: 0,
    durationMs: 0,
    waitMs: 0,
    reused: false,
    egress: [],
    secretUse: [],
  };
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const result = await redactResult({ status: "completed", outputJson, ...usage }, redact);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  const output: unknown = result.status === "completed" ? JSON.parse(result.outputJson) : undefined;
  expect(output).toEqual(["\\".repeat(1_000_000), "a [redacted KEY]".repeat(10_000)]);
});
