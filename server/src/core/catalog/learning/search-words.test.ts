import { describe, expect, it } from "vitest";
import { toSearchWords } from "./search-words.ts";

describe("toSearchWords", () => {
  it.each([
    ["Please find me an invoice as PDF", "invoice pdf", "invoic pdf"],
    ["PDF, invoices!", "pdf invoices", "invoic pdf"],
    ["請求書", "請求 求書", "求書 請求"],
    ["encode base64", "encode", "encod"],
    ["convert to mp3", "convert", "convert"],
    ["send 250000 to ada@example.com", "send", "send"],
    ["open https://example.com/?token=abc", "open", "open"],
    ["token sk_live_4eC39HqLyjWDarjtT1zdp7dc", "token", "token"],
    ["password hunter2 reset", "password reset", "password reset"],
    ["decode aGVsbGFyZYaBcDeF", "decode", "decod"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc", undefined, undefined],
    [`key ${"a".repeat(40)}`, "key", "kei"],
    ["we", undefined, undefined],
    ["the of and", undefined, undefined],
    ["word ".repeat(100), undefined, undefined],
    ["one two red blue cat dog sun sea sky ice fire wood stone glass", undefined, undefined],
  ])("returns for %j only %j", (query, words, terms) => {
    expect(toSearchWords(query)).toEqual(words === undefined ? undefined : { words, terms });
  });

  it("takes milliseconds for hostile queries", () => {
    const startedAt = performance.now();
    for (const part of ["a", "1", "-", "aB", "天", " ", "\u200b"]) {
      for (const length of [200, 100_000]) toSearchWords(part.repeat(length / part.length));
    }
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
