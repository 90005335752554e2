import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { createRedactor, redactHeader } from "./redaction.ts";
import { parseTarget } from "./target.ts";
import { onlySecret, partsOf, pick, randomOf, redactedStream, secretOf } from "./test-random.ts";
import type { Random } from "./test-random.ts";
import { guardBody, denyWithheldHead, denyWithheldHost } from "./withheld.ts";
import { EgressDeniedError } from "./egress-errors.ts";

const target = parseTarget("http://elsewhere.example");
if (target === undefined) throw new Error("The target is not understood");

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
const units = (one: string, prefix: string) =>
  one
    .split("")
    .map((unit) => prefix + hex(unit.charCodeAt(0), 4))
    .join("");
const named: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "/": "&#x2F;",
  "+": "&plus;",
  ä: "&auml;",
  é: "&eacute;",
  "€": "&euro;",
};

/** All encodings of one character. */
const ALTERNATIVES: readonly ((one: string) => string)[] = [
  (one) => one,
  (one) => Array.from(Buffer.from(one), (byte) => `%${hex(byte, 2)}`).join(""),
  (one) => Array.from(Buffer.from(one), (byte) => `%${hex(byte, 2).toUpperCase()}`).join(""),
  (one) => units(one, "\\u"),
  (one) => units(one, "\\u").toUpperCase().replaceAll("\\U", "\\u"),
  (one) => JSON.stringify(one).slice(1, -1),
  (one) => (one === "/" ? "\\/" : one),
  (one) => (one === " " ? "+" : one),
  (one) => named[one] ?? one,
  (one) => `&#${one.codePointAt(0)};`,
  (one) => `&#x${hex(one.codePointAt(0) ?? 0, 2)};`,
  (one) => `&#X000${hex(one.codePointAt(0) ?? 0, 2).toUpperCase()};`,
];

function mixed(text: string, random: Random): string {
  return Array.from(text, (one) => pick(random, ALTERNATIVES)(one)).join("");
}

/** The same for a text that is already escaped: characters that start an escape are escaped again. */
function mixedAgain(text: string, random: Random): string {
  return Array.from(text, (one) => {
    const spellings = ALTERNATIVES.map((write) => write(one));
    return pick(random, /[\\%&]/.test(one) ? spellings.filter((it) => it !== one) : spellings);
  }).join("");
}

async function isRefused(value: string, parts: readonly Buffer[]): Promise<boolean> {
  const body = await guardBody(Readable.from(parts), {
    withheld: onlySecret(value),
    target: target ?? never(),
  });
  try {
    await body.toArray();
    return false;
  } catch (error) {
    if (error instanceof EgressDeniedError) return true;
    throw error;
  }
}

function isHeadRefused(value: string, head: { path?: string; headers?: string[] }): boolean {
  try {
    denyWithheldHead({ path: "/", headers: [], ...head }, onlySecret(value), target ?? never());
    return false;
  } catch (error) {
    if (error instanceof EgressDeniedError) return true;
    throw error;
  }
}

function never(): never {
  throw new Error("The target is not understood");
}

test.each([1, 2, 3, 4])(
  "finds values in any mixture of escapes and encodings (series %i)",
  async (series) => {
    for (let round = 0; round < 40; round += 1) {
      const seed = series * 1_000 + round;
      const random = randomOf(seed);
      const value = secretOf(random);
      // Every second text is escaped twice.
      const once = mixed(value, random);
      const spelling = round % 2 === 0 ? once : mixedAgain(once, random);
      const text = `before "${spelling}" after`;
      const parts = partsOf(Buffer.from(text), random);
      const clean = createRedactor([{ name: "KEY", value }])(text);
      const about = { seed, value, text };
      expect({ ...about, clean }).toEqual({ ...about, clean: 'before "[redacted KEY]" after' });
      expect({ ...about, clean: await redactedStream(value, parts) }).toEqual({ ...about, clean });
      expect({ ...about, refused: await isRefused(value, parts) }).toEqual({
        ...about,
        refused: true,
      });
      expect(isHeadRefused(value, { path: `/?k=${spelling}` })).toBe(true);
      expect(isHeadRefused(value, { headers: ["x", Buffer.from(text).toString("latin1")] })).toBe(
        true,
      );
    }
  },
);

const VALUES = [
  "correct horse@battery/staple",
  'ab"cd+ef/gh==',
  "pässwort:geheim@1",
  "a&b<c>d\u2028e'f\"g",
  "two words\\and`{more}|^",
  "first line\nsecond line\n",
  " padded value ",
  "sk-live-1234",
  "漢字🔑-key",
  "end&hash%41#rest",
];

describe.each(VALUES)("the value %j", (value) => {
  test("is found in a URL without encoding", () => {
    for (const address of [
      `http://h/?k=${value}`,
      `http://h/${value}/x`,
      `http://h/?k=${encodeURI(value)}`,
      `http://h/?k=${escape(value)}`,
      `http://h/?${new URLSearchParams({ k: value }).toString()}`,
    ]) {
      const { pathname, search } = new URL(address);
      expect({ address, refused: isHeadRefused(value, { path: pathname + search }) }).toEqual({
        address,
        refused: true,
      });
    }
  });

  test("is found in headers, whose bytes are read as Latin-1", () => {
    const sent = value.trim().replaceAll("\n", "");
    const header = Buffer.from(`Bearer ${sent}`).toString("latin1");
    expect(isHeadRefused(value, { headers: ["x-key", header] })).toBe(true);
    const clean = redactHeader(createRedactor([{ name: "KEY", value }]), header);
    expect(clean).toMatch(/^Bearer ?\[redacted KEY\]$/);
    const pair = Buffer.from(`me:${value}`).toString("base64");
    expect(isHeadRefused(value, { headers: ["authorization", `Basic ${pair}`] })).toBe(true);
  });

  test("is found in form bodies, in UTF-16 and in JSON of other languages", async () => {
    const form = new FormData();
    form.set("k", value);
    const go = JSON.stringify(value).replace(/[&<>\u2028]/g, (one) => units(one, "\\u"));
    const littleEndian = Buffer.from(`k=${value}.`, "utf16le");
    const bodies: [string, Buffer][] = [
      ["form", Buffer.from(await new Response(form).arrayBuffer())],
      ["PHP", Buffer.from(JSON.stringify(value).replaceAll("/", "\\/"))],
      ["Go", Buffer.from(go)],
      ["Go in JSON", Buffer.from(JSON.stringify(go))],
      ["UTF-16LE", littleEndian],
      ["UTF-16BE", Buffer.from(littleEndian).swap16()],
      ["HTML", Buffer.from(value.replace(/[&<>"']/g, (one) => named[one] ?? one))],
    ];
    for (const [name, body] of bodies) {
      const bytes = Array.from(body, (byte) => Buffer.of(byte));
      expect({ name, whole: await isRefused(value, [body]) }).toEqual({ name, whole: true });
      expect({ name, bytes: await isRefused(value, bytes) }).toEqual({ name, bytes: true });
      expect(await redactedStream(value, bytes)).toContain("[redacted KEY]");
    }
  });
});

test("finds a Latin-1 value in a body, in base64 and in a response header", async () => {
  const value = "pässwort:geheim@ÿþ";
  const bytes = Buffer.from(`k=${value}.`, "latin1");
  expect(await isRefused(value, [bytes])).toBe(true);
  expect(await isRefused(value, [Buffer.from(bytes.toString("base64"))])).toBe(true);
  expect(await isRefused(value, [Buffer.from(bytes.toString("hex"))])).toBe(true);
  expect(redactHeader(createRedactor([{ name: "KEY", value }]), `k=${value}.`)).toBe(
    "k=[redacted KEY].",
  );
});

test("finds a value in the ASCII form of an internationalized host name", () => {
  const value = "Pässwort-geheim";
  const host = parseTarget(`http://${value}.example.com`);
  if (host === undefined) throw new Error("The target is not understood");
  expect(host.host).toContain("xn--");
  const refuse = (name: string, reason: string) => new EgressDeniedError(name, reason);
  expect(() => denyWithheldHost(onlySecret(value), host, refuse)).toThrow(EgressDeniedError);
});

test("does not find text that only resembles a value", async () => {
  const value = "correct#horse&battery";
  expect(isHeadRefused(value, { path: "/?k=correct&amp;battery" })).toBe(false);
  expect(
    await isRefused(value, [Buffer.from("correct#horse&ampbattery &#x; &#99999999999;")]),
  ).toBe(false);
});
