import { createRedactor } from "@toolhost/sandbox";
import { describe, expect, test } from "vitest";
import { redactResult, redactValue } from "./redact-result.ts";

const redact = createRedactor([{ name: "KEY", value: 'se"cret-value' }]);

describe("a value without secrets", () => {
  test("has a mark in the place of each, in texts and in names, and is as it was otherwise", async () => {
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

  test("keeps a name such as __proto__ a name", async () => {
    const value: unknown = JSON.parse('{ "__proto__": { "a": "se\\"cret-value" } }');
    const clean = JSON.stringify(await redactValue(value, redact));
    expect(clean).toBe('{"__proto__":{"a":"[redacted KEY]"}}');
  });

  test("is found none where its parts stand side by side", async () => {
    const value = ['se"cret', "-value", "se", '"cret-value'];
    expect(await redactValue(value, redact)).toBe(value);
  });

  test("is made in time that grows with its length alone", async () => {
    const redactAll = createRedactor(
      Array.from({ length: 20 }, (_, i) => ({ name: `K${i}`, value: `value-${i}/+ü` })),
    );
    const texts = Array.from({ length: 1_000_000 }, () => "");
    const changed = await redactValue([...texts, "value-3/+ü"], redactAll);
    expect(Array.isArray(changed) && changed.at(-1)).toBe("[redacted K3]");
    expect(await redactValue(texts, redactAll)).toBe(texts);
  });
});

test("numbers are redacted where they are asked for", async () => {
  const redactNumber = createRedactor([{ name: "PIN", value: "48151623" }]);
  const value = { a: 48_151_623, b: [148_151_623, 4], c: "48151623" };
  const clean = { a: "[redacted]", b: ["[redacted]", 4], c: "[redacted PIN]" };
  expect(await redactValue(value, redactNumber, { withNumbers: true })).toEqual(clean);
  expect(await redactValue(value, redactNumber)).toEqual({ ...value, c: "[redacted PIN]" });
});

describe("a text that is made to be searched for long", () => {
  const intricate = createRedactor([{ name: "KEY", value: `${"%25".repeat(3_000)}x` }]);
  const long = "%25".repeat(300_000);

  test("is replaced as a whole", async () => {
    const clean = await redactValue({ a: ["short", long] }, intricate);
    expect(JSON.stringify(clean)).not.toContain("%25");
    expect(intricate(long)).toMatch(/^\[redacted: /);
    expect(intricate("100%25 short")).toBe("100%25 short");
  });

  test("leaves each turn of the event loop to other work after one part", async () => {
    const order: string[] = [];
    const search = async (name: string) => {
      await redactValue(long.slice(0, 90_000), intricate);
      order.push(name);
    };
    // Each needs several parts, and a part waits for a turn of its own.
    const searches = ["a", "b", "c"].map((name) => search(name));
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push("other work");
    }
    await Promise.all(searches);
    expect(order.indexOf("other work")).toBeLessThan(order.indexOf("c"));
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
