import { createRedactor } from "@toolhost/sandbox";
import { describe, expect, test } from "vitest";
import { redactResult, redactValue } from "./redact-result.ts";

const redact = createRedactor([{ name: "KEY", value: 'se"cret-value' }]);

describe("redactValue", () => {
  test("replaces each secret in strings and keys, and nothing else", async () => {
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
    expect(await redactValue(value, redact)).toEqual({
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

  test("preserves a key such as __proto__", async () => {
    const value: unknown = JSON.parse('{ "__proto__": { "a": "se\\"cret-value" } }');
    const clean = JSON.stringify(await redactValue(value, redact));
    expect(clean).toBe('{"__proto__":{"a":"[redacted KEY]"}}');
  });

  test("does not match a secret across separate strings", async () => {
    const value = ['se"cret', "-value", "se", '"cret-value'];
    expect(await redactValue(value, redact)).toBe(value);
  });

  test("takes time linear in the length of the value", async () => {
    const redactAll = createRedactor(
      Array.from({ length: 20 }, (_, i) => ({ name: `K${i}`, value: `value-${i}/+ü` })),
    );
    const texts = Array.from({ length: 1_000_000 }, () => "");
    const changed = await redactValue([...texts, "value-3/+ü"], redactAll);
    expect(Array.isArray(changed) && changed.at(-1)).toBe("[redacted K3]");
    expect(await redactValue(texts, redactAll)).toBe(texts);
  });
});

test("redacts numbers with withNumbers", async () => {
  const redactNumber = createRedactor([{ name: "PIN", value: "48151623" }]);
  const value = { a: 48_151_623, b: [148_151_623, 4], c: "48151623" };
  const clean = { a: "[redacted]", b: ["[redacted]", 4], c: "[redacted PIN]" };
  expect(await redactValue(value, redactNumber, { withNumbers: true })).toEqual(clean);
  expect(await redactValue(value, redactNumber)).toEqual({ ...value, c: "[redacted PIN]" });
});

describe("a text crafted to slow down the search", () => {
  const intricate = createRedactor([{ name: "KEY", value: `${"%25".repeat(3_000)}x` }]);
  const long = "%25".repeat(300_000);

  test("is replaced entirely", async () => {
    const clean = await redactValue({ a: ["short", long] }, intricate);
    expect(JSON.stringify(clean)).not.toContain("%25");
    expect(intricate(long)).toMatch(/^\[redacted: /);
    expect(intricate("100%25 short")).toBe("100%25 short");
  });

  test("yields to the event loop after each part", async () => {
    const order: string[] = [];
    const search = async (name: string) => {
      await redactValue(long.slice(0, 90_000), intricate);
      order.push(name);
    };
    // Each search has several parts, and each part waits for its own turn.
    const searches = ["a", "b", "c"].map((name) => search(name));
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push("other work");
    }
    await Promise.all(searches);
    expect(order.indexOf("other work")).toBeLessThan(order.indexOf("c"));
  });
});

test("redacts each log line", async () => {
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

test("redacts a long output without blocking the event loop", async () => {
  const output = ["\\".repeat(1_000_000), 'a se"cret-value'.repeat(10_000)];
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
  const result = await redactResult({ status: "completed", output, ...usage }, redact);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  expect(result.status === "completed" && result.output).toEqual([
    "\\".repeat(1_000_000),
    "a [redacted KEY]".repeat(10_000),
  ]);
});
