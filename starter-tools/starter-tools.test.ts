import { readFile } from "node:fs/promises";
import { join } from "node:path";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { encode } from "uqr";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { modulesDir } from "./index.ts";
import { bundle, context, drafts, forgetTools, run } from "./run-tool.ts";

afterAll(forgetTools);

// Log lines of the tools are collected, so that the output of the tests stays short.
const logged: string[] = [];
beforeAll(() => {
  for (const level of ["debug", "info", "log", "warn"] as const) {
    vi.spyOn(console, level).mockImplementation((line) => void logged.push(`${level}: ${line}`));
  }
});

test("has a distinct title for each tool", () => {
  const titles = [...drafts.values()].map((draft) => draft.title);
  expect(titles).toEqual([...new Set(titles)]);
});

test("covers both languages, a fresh isolate, dependencies and a long time limit", () => {
  const all = [...drafts.values()];
  expect(new Set(all.map((draft) => draft.source.language))).toEqual(
    new Set(["typescript", "javascript"]),
  );
  expect(all.some((draft) => draft.isolation === "fresh")).toBe(true);
  expect(all.some((draft) => draft.source.dependencies !== undefined)).toBe(true);
  expect(all.some((draft) => draft.timeoutMs > 600_000)).toBe(true);
});

test("declares the dependencies of package.json in the same versions", async () => {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(
    await readFile(join(modulesDir, "package.json"), "utf8"),
  );
  const named = Object.assign(
    {},
    ...[...drafts.values()].map((draft) => draft.source.dependencies),
  );
  expect(named).toEqual(manifest.dependencies);
});

describe.each([...drafts])("%s", (slug, draft) => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const isInput = ajv.compile(draft.inputSchema);

  test("describes every input in 20 characters or more, and every output", () => {
    expect(draft.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    const inputs = Object.entries<{ type?: unknown; description?: string }>(
      Object(draft.inputSchema["properties"]),
    );
    const missing = inputs.filter(
      ([, { type, description = "" }]) => type === undefined || description.length < 20,
    );
    expect(missing).toEqual([]);
    for (const property of draft.outputSchema.properties) expect(property.description).not.toBe("");
    expect(draft.examples.length).toBeGreaterThan(0);
  });

  test("bundles into one module below 1 MiB without imports", async () => {
    const code = await bundle(slug);
    expect(Buffer.byteLength(code)).toBeLessThan(1024 * 1024);
    expect(code).not.toMatch(/^import\s/m);
    // The sandbox refuses to make code from text.
    expect(code).not.toMatch(/\bnew Function\(|\beval\(/);
  });

  // Examples may name services that tests must not contact.
  beforeEach(() => {
    const answer = { total_count: 0, items: [] };
    vi.stubGlobal("fetch", async () => Response.json(answer));
  });
  afterEach(() => vi.unstubAllGlobals());

  const declared = draft.outputSchema.properties;
  const required = declared.filter((property) => property.optional !== true);

  test.each(draft.examples)(
    "returns an output that matches its schema for example %#",
    async ({ input }) => {
      isInput(input);
      expect(isInput.errors).toBeNull();
      const names = Object.keys(Object(await run(slug, input)));
      expect(declared.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
      expect(names).toEqual(expect.arrayContaining(required.map(({ name }) => name)));
    },
  );

  // Random values and pictures show an input only.
  const exact = draft.examples.filter(({ output }) => output !== undefined);
  test.each(exact)("returns the exact output of example %#", async ({ input, output }) => {
    expect(await run(slug, input)).toEqual(output);
  });
});

describe("invalid input", () => {
  test.each([
    [
      "text-statistics",
      { text: "a", language: "not a code" },
      /"not a code" is not a language code\. Use one/,
    ],
    [
      "csv-to-json",
      { csv: 'a,b\n"1,2' },
      /quotes are broken near line \d+: .*Close every quoted value/,
    ],
    ["json-query", { data: {}, expression: "a[" }, /not valid JSONata: .*at character/],
    ["json-query", { data: { a: "x" }, expression: "$sum(a)" }, /failed on this data: .*\$?sum/],
    ["json-query", { data: {}, expression: "$sum" }, /results in a function\. Call it/],
    ["json-query", { data: {}, expression: "function($x){$x}" }, /results in a function\. Call it/],
    [
      "json-query",
      { data: {}, expression: "($f := function(){1 + $f()}; $f())" },
      /failed on this data/,
    ],
    [
      "date-calculator",
      { operation: "convert", date: "tomorrow" },
      /"tomorrow" is not a date\. Use ISO 8601/,
    ],
    ["date-calculator", { operation: "add", date: "2026-01-01" }, /need "duration" in ISO 8601/],
    ["date-calculator", { operation: "difference", date: "2026-01-01" }, /needs "otherDate"/],
    [
      "date-calculator",
      { operation: "convert", date: "now", timeZone: "Mars" },
      /"Mars" is not a time zone/,
    ],
    [
      "date-calculator",
      { operation: "add", date: "2026-01-01", duration: "P999999999Y" },
      /out of range/,
    ],
    [
      "unit-converter",
      { value: 1, from: "parsec-ish", to: "m" },
      /"parsec-ish" is not a known unit\. Use a name/,
    ],
    ["unit-converter", { value: 1, from: "constructor", to: "__proto__" }, /is not a known unit/],
    [
      "unit-converter",
      { value: 1, from: "km", to: "kg" },
      /do not measure the same quantity\. Use/,
    ],
    [
      "unit-converter",
      { value: 1, from: "km/h", to: "km" },
      /do not measure the same quantity\. Use/,
    ],
    [
      "unit-converter",
      { value: 1, from: "a/b/c", to: "m" },
      /more than one "\/"\. Use at most one/,
    ],
    ["qr-code", { text: "é".repeat(2_000) }, /too long for a QR code\. Shorten it/],
    [
      "qr-code",
      { text: "a", darkColor: '"/><script>' },
      /is not a color\. Use six hexadecimal digits/,
    ],
    ["secret-generator", { kind: "hash" }, /"hash" needs "text"/],
    [
      "regex-tester",
      { text: "a", pattern: "(" },
      /Unterminated group\. Pass the pattern without slashes/,
    ],
    ["regex-tester", { text: "a", pattern: "a", flags: "gg" }, /flags .* each once/],
  ])("makes %s throw an error with advice: %j", async (slug, input, message) => {
    await expect(run(slug, input)).rejects.toThrow(message);
  });
});

test("counts words in a language without spaces (text-statistics)", async () => {
  const output = await run("text-statistics", { text: "私は学生です。", language: "ja" });
  expect(output).toMatchObject({ characters: 7, words: 4, sentences: 1 });
  expect(await run("text-statistics", { text: "" })).toMatchObject({
    characters: 0,
    words: 0,
    lines: 0,
  });
});

test("distinguishes repeated, empty and unusual column names (csv-to-json)", async () => {
  const output = await run("csv-to-json", { csv: "\uFEFFa,a,,__proto__\n1,2,3,4,5\n" });
  expect(output).toMatchObject({ columns: ["a", "a_2", "column3", "__proto__"], rowCount: 1 });
  const text = JSON.stringify(output);
  expect(text).toContain('{"a":1,"a_2":2,"column3":3,"__proto__":4,"column5":5}');
});

test("preserves the wall-clock time across a clock change when a day is added (date-calculator)", async () => {
  const input = {
    operation: "add",
    date: "2026-03-28T09:00",
    duration: "P1D",
    timeZone: "Europe/Berlin",
  };
  expect(await run("date-calculator", input)).toMatchObject({ date: "2026-03-29T09:00:00+02:00" });
});

test("draws exactly the dark modules (qr-code)", async () => {
  const { svg, modules } = Object(
    await run("qr-code", { text: "Grüße 👋", errorCorrection: "Q", margin: 2 }),
  );
  const drawn = Array.from({ length: modules }, () => Array<boolean>(modules).fill(false));
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
    drawn[Number(y) - 2]?.fill(true, Number(x) - 2, Number(x) - 2 + Number(width));
  }
  expect(drawn).toEqual(encode("Grüße 👋", { ecc: "Q", border: 0 }).data);
});

test.each([
  [60, "mph", "km/h", 96.56064],
  [1, "Mbps", "MB/s", 0.125],
  [1, "acre", "m2", 4046.8564224],
  [1, "fl oz", "mL", 29.5735295625],
  [-40, "F", "C", -40],
  [20, "Celsius", "Kelvin", 293.15],
  [10, "knots", "km/h", 18.52],
  [3, "stone", "kg", 19.05087954],
])("converts %d %s to %s", async (value, from, to, result) => {
  expect(await run("unit-converter", { value, from, to })).toMatchObject({ result });
});

test("creates no links that run code (markdown-to-html)", async () => {
  const markdown = "[a](javascript:alert(1)) ![b](vbscript:x) <img src=x onerror=alert(1)>";
  const { html } = Object(await run("markdown-to-html", { markdown }));
  expect(html).not.toMatch(/<img|<a|href/);
});

test("leaves its input unmodified, and handles keys named like prototype properties (json-diff)", async () => {
  const before = JSON.parse('{"__proto__":{"a":1}}');
  expect(await run("json-diff", { before, after: {} })).toMatchObject({
    patch: [{ op: "remove", path: "/__proto__" }],
  });
});

test("returns distinct values of the requested length (secret-generator)", async () => {
  const passwords = Object(
    await run("secret-generator", { kind: "password", count: 100, length: 12 }),
  ).values;
  expect(new Set(passwords).size).toBe(100);
  for (const password of passwords) expect(password).toMatch(/^[A-Za-z2-9!#$%&*+\-=?@_]{12}$/);
  expect(await run("secret-generator", { kind: "token", length: 32 })).toMatchObject({
    values: [expect.stringMatching(/^[\w-]{43}$/)],
    entropyBits: 256,
  });
});

test("finds only the first match without the g flag (regex-tester)", async () => {
  const output = await run("regex-tester", { text: "aXbX", pattern: "(X)|(y)", flags: "" });
  expect(output).toMatchObject({ count: 1, matches: [{ index: 1, groups: ["X", null] }] });
});

test("reports every step, and stops immediately when cancelled (countdown)", async () => {
  const calm = context();
  await run("countdown", { seconds: 1 }, calm);
  expect(calm.reported).toEqual([
    [0, "1 s left"],
    [1, "Done."],
  ]);
  expect(logged).toEqual(
    expect.arrayContaining(["info: Run run-1 counts down from 1 seconds.", "warn: 1…"]),
  );

  const abort = new AbortController();
  const startedAt = performance.now();
  setTimeout(() => abort.abort(new Error("cancelled")), 50);
  await expect(run("countdown", { seconds: 600 }, context(abort.signal))).rejects.toThrow(
    "cancelled",
  );
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
