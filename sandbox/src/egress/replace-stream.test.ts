import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { replaceStream } from "./replace-stream.ts";

const bytes = (text: string) => Buffer.from(text);

async function pass(chunks: readonly string[], pairs: readonly [string, string][]) {
  const stream = Readable.from(chunks.map(bytes)).pipe(
    replaceStream(pairs.map(([find, put]) => ({ find: bytes(find), put: bytes(put) }))),
  );
  const out: Buffer[] = [];
  for await (const chunk of stream) out.push(chunk as Buffer);
  return Buffer.concat(out).toString();
}

describe("replaceStream", () => {
  test("finds matches across chunk boundaries", async () => {
    const text = "a secret, and another secret; sec";
    for (let size = 1; size < 12; size++) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(await pass(chunks, [["secret", "***"]])).toBe("a ***, and another ***; sec");
    }
  });

  test("prefers the longer of two matches, and does not search replacements", async () => {
    const pairs: [string, string][] = [
      ["abc", "1"],
      ["abcdef", "2"],
      ["2", "abc"],
    ];
    for (const chunks of [["abcdef abc"], ["abc", "def abc"], "abcdef abc".split("")]) {
      expect(await pass(chunks, pairs)).toBe("2 1");
    }
  });

  test("leaves all other bytes unchanged", async () => {
    expect(await pass(["", "sss", "e", "secre", "x"], [["secret", ""]])).toBe("sssesecrex");
    expect(await pass(["anything"], [])).toBe("anything");
    expect(await pass(["xsecretsecretx"], [["secret", ""]])).toBe("xx");
  });
});
