import { describe, expect, test } from "vitest";
import { createRedactor } from "./redaction.ts";
import { createSecretScanner } from "./secret-scanner.ts";
import {
  partsOf,
  pick,
  randomOf,
  redactedStream,
  secretOf,
  upTo,
  type Random,
} from "./test-random.ts";

const hex = (value: number, digits: number, random: Random) => {
  const text = value.toString(16).padStart(digits, "0");
  return random() < 0.5 ? text : text.toUpperCase();
};
const json = (text: string) => JSON.stringify(text).slice(1, -1);
/** Escapes each UTF-16 unit, or a random part of them plus all units that require escaping. */
function unicode(text: string, random: Random, part = 1): string {
  const escape = (unit: string) => `\\u${hex(unit.charCodeAt(0), 4, random)}`;
  return Array.from(text, (character) => {
    const isKept = random() >= part;
    return isKept ? json(character) : character.split("").map(escape).join("");
  }).join("");
}
function percent(text: string, random: Random, part = 1): string {
  return Array.from(text, (character) =>
    random() >= part && /[A-Za-z0-9]/.test(character)
      ? character
      : Array.from(Buffer.from(character), (byte) => `%${hex(byte, 2, random)}`).join(""),
  ).join("");
}
function base64(text: string, random: Random): string {
  const before = Buffer.from("x".repeat(upTo(random, 5)));
  const after = Buffer.from("y".repeat(upTo(random, 5)));
  const whole = Buffer.concat([before, Buffer.from(text), after]);
  const encoded = whole.toString(pick(random, ["base64", "base64url"] as const));
  return random() < 0.5 ? encoded.replace(/=+$/, "") : encoded;
}
function wrapped(text: string, random: Random): string {
  const width = 1 + upTo(random, 80);
  const gap = pick(random, ["\n", "\r\n"]) + " \t".repeat(upTo(random, 4));
  return (text.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join(gap);
}

type Encoding = (text: string, random: Random) => string;
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  "as it is": (text) => text,
  JSON: json,
  "\\uXXXX": (text, random) => unicode(text, random),
  "\\uXXXX in part": (text, random) => unicode(text, random, random()),
  "\\u{X}": (text) =>
    Array.from(text, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`).join(""),
  "\\xXX": (text, random) =>
    Array.from(Buffer.from(text), (byte) => `\\x${hex(byte, 2, random)}`).join(""),
  "%uXXXX": (text, random) => unicode(text, random).replaceAll("\\u", "%u"),
  "%XX": (text, random) => percent(text, random),
  "%XX in part": (text, random) => percent(text, random, random()),
  "URL component": (text) => encodeURIComponent(text),
  form: (text) => new URLSearchParams([["", text]]).toString().slice(1),
  "JSON in JSON": (text) => json(json(text)),
  "JSON in JSON in JSON": (text) => json(json(json(text))),
  "\\uXXXX in JSON": (text, random) => json(unicode(text, random, random())),
  "\\uXXXX of \\uXXXX": (text, random) => unicode(unicode(text, random), random),
  "%XX of %XX": (text, random) => percent(percent(text, random, random()), random, random()),
  "%XX of JSON": (text, random) => percent(json(text), random),
  "JSON of URL component": (text) => json(encodeURIComponent(text)),
  base64,
  "wrapped base64": (text, random) => wrapped(base64(text, random), random),
  "wrapped base64 in JSON": (text, random) => json(wrapped(base64(text, random), random)),
  "base64 in a URL": (text, random) => encodeURIComponent(wrapped(base64(text, random), random)),
  "base64 of JSON": (text, random) => wrapped(base64(json(text), random), random),
  "base64 of URL component": (text, random) => base64(encodeURIComponent(text), random),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
  HEXADECIMAL: (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "wrapped hexadecimal": (text, random) => wrapped(Buffer.from(text).toString("hex"), random),
  "hexadecimal with separators": (text, random) =>
    (Buffer.from(text).toString("hex").match(/../g) ?? []).join(pick(random, [":", " ", "-"])),
};

const AROUND = [
  "",
  " ",
  "\n",
  "key=",
  '{"a":"',
  "%",
  "\\",
  "%2",
  "\\u00",
  "\\\\",
  "==",
  "Basic ",
  "🔑",
  "%25",
];

function matchesIn(secrets: { name: string; value: string }[], parts: readonly Uint8Array[]) {
  const scanner = createSecretScanner(secrets);
  return [...parts.flatMap((part) => scanner.write(part)), ...scanner.end()];
}

const seeds = process.env["TEST_ALL"] === "1" ? 150 : 30;

describe.each(Object.entries(ENCODINGS))("a value encoded as %s", (name, encode) => {
  test("is found for any value, surrounding text and chunking", async () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const random = randomOf(seed * 7919 + name.length);
      const secret = secretOf(random);
      const spelling = encode(secret, random);
      const [before, after] = [pick(random, AROUND), pick(random, AROUND)];
      // Base64 that directly follows base64 has a different alignment.
      const text = /base64|hex/i.test(name)
        ? `${before}"${spelling}" ${after}`
        : before + spelling + after;
      const about = `seed ${seed}: ${JSON.stringify({ secret, text })}`;
      const redact = createRedactor([{ name: "KEY", value: secret }]);
      const clean = redact(text);
      const inParts = await redactedStream(secret, partsOf(Buffer.from(text), random));
      expect({ about, isMarked: clean.includes("[redacted KEY]") }).toEqual({
        about,
        isMarked: true,
      });
      expect({ about, shown: clean.includes(spelling) }).toEqual({ about, shown: false });
      expect({ about, inParts }).toEqual({ about, inParts: clean });
    }
  });
});

describe("SecretScanner", () => {
  test("reports offsets in the whole text, in order, once per match", () => {
    const secrets = [
      { name: "ONE", value: "first-value" },
      { name: "TWO", value: "second" },
    ];
    const text = Buffer.from("a first-value, 736563 6f6e64 and \\u0073econd ü first-value");
    const whole = [
      { from: 2, to: 13, name: "ONE" },
      { from: 15, to: 28, name: "TWO" },
      { from: 33, to: 44, name: "TWO" },
      { from: 48, to: 59, name: "ONE" },
    ];
    expect(matchesIn(secrets, [text])).toEqual(whole);
    expect(
      matchesIn(
        secrets,
        Array.from(text, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(whole);
  });

  test("finds nothing in texts without a value", () => {
    const random = randomOf(1);
    for (let round = 0; round < 200; round += 1) {
      const value = secretOf(random);
      const other = Buffer.from(`${secretOf(random)}%u12\\u123 %%\\\\${secretOf(random)}`);
      if (other.toString().includes(value)) continue;
      expect(matchesIn([{ name: "KEY", value }], partsOf(other, random))).toEqual([]);
    }
  });

  test("skips gaps of up to 1,024 bytes in base64", () => {
    const value = "a-value-to-be-wrapped";
    const [first, second] = [
      Buffer.from(value).toString("base64").slice(0, 9),
      Buffer.from(value).toString("base64").slice(9),
    ];
    const found = (gap: number) =>
      matchesIn([{ name: "KEY", value }], [Buffer.from(first + " ".repeat(gap) + second)]);
    expect(found(1_000)).toEqual([expect.objectContaining({ from: 0 })]);
    expect(found(2_000)).toEqual([]);
  });

  test.each([
    ["separators after a prefix", "YS12 ".padEnd(3_000, " ")],
    ["prefixes", "a-value-to-be-"],
    ["backslashes", "\\"],
    ["percent signs", "%25"],
    ["escapes of escapes", "\\u005c\\u0075\\u0030\\u0030\\u0036\\u0031"],
  ])("holds back only a little of a text of %s", (_name, unit) => {
    const scanner = createSecretScanner([{ name: "KEY", value: "a-value-to-be-held" }]);
    const text = Buffer.from(unit.repeat(Math.ceil(300_000 / unit.length)));
    let sent = 0;
    let held = 0;
    for (const part of partsOf(text, randomOf(1))) {
      expect(scanner.write(part)).toEqual([]);
      sent += part.length;
      held = Math.max(held, sent - scanner.resolvedTo);
    }
    expect(held).toBeLessThan(5_000);
  });

  test("finds values that overlap themselves, and one that contains another", () => {
    const secrets = [
      { name: "SHORT", value: "aaaa" },
      { name: "LONG", value: "xaaaaaay" },
    ];
    const text = Buffer.from("aaaaaaaaaa xaaaaaay");
    expect(matchesIn(secrets, [text])).toEqual([
      { from: 0, to: 10, name: "SHORT" },
      { from: 11, to: 19, name: "LONG" },
    ]);
    expect(
      matchesIn(
        secrets,
        Array.from(text, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual([
      { from: 0, to: 10, name: "SHORT" },
      { from: 11, to: 19, name: "LONG" },
    ]);
  });
});
