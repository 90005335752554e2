import { describe, expect, it } from "vitest";
import type { JsonObject } from "@toolhost/contract";
import { cutWords, plainJson } from "./json.ts";
import { showOutput } from "./output-blocks.ts";

const show = (output: JsonObject) => showOutput(output, { properties: [] });

describe("showOutput", () => {
  it("shows values by their kind", () => {
    const { blocks, isCut } = show({
      city: "Rome",
      people: 3,
      open: true,
      tags: ["a", "b"],
      rows: [{ name: "x", value: 1 }, { name: "y" }],
      page: "<html>\n</html>",
      place: { lat: 1, lon: 2 },
      deep: { a: { b: [1] } },
    });
    expect(isCut).toBe(false);
    expect(blocks).toEqual([
      {
        kind: "fields",
        fields: [
          { label: "city", value: "Rome" },
          { label: "people", value: "3" },
          { label: "open", value: "yes" },
          { label: "tags", value: "a, b" },
        ],
      },
      { kind: "text", text: "rows:" },
      {
        kind: "table",
        columns: ["name", "value"],
        rows: [
          ["x", "1"],
          ["y", ""],
        ],
      },
      { kind: "text", text: "page:" },
      { kind: "code", text: "<html>\n</html>" },
      {
        kind: "fields",
        fields: [
          { label: "place: lat", value: "1" },
          { label: "place: lon", value: "2" },
        ],
      },
      { kind: "text", text: "deep:" },
      { kind: "code", text: JSON.stringify({ a: { b: [1] } }, null, 2) },
    ]);
  });

  it.each<[string, JsonObject]>([
    ["a long text", { text: "x".repeat(100_000) }],
    ["many fields", Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, n]))],
    [
      "many rows",
      { rows: Array.from({ length: 5_000 }, (_, n) => ({ n, text: "y".repeat(500) })) },
    ],
    [
      "many long texts",
      Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`t${n}`, "z\n".repeat(5_000)])),
    ],
    [
      "many objects",
      Object.fromEntries(
        Array.from({ length: 25 }, (_, n) => [`o${n}`, { a: 1, b: 2, c: 3, d: 4 }]),
      ),
    ],
  ])("shortens %s to the size of a message", (_, output) => {
    const { blocks, isCut } = show(output);
    expect(isCut).toBe(true);
    expect(JSON.stringify(blocks).length).toBeLessThan(15_000);
    const parts = blocks.flatMap<unknown>((block) =>
      block.kind === "fields" ? block.fields : [block],
    );
    expect(parts.length).toBeLessThanOrEqual(40);
  });

  it("names a lone value that says nothing by itself", () => {
    const fieldOf = (output: JsonObject) => show(output).blocks;
    const named = (label: string, value: string) => [
      { kind: "fields", fields: [{ label, value }] },
    ];
    expect(fieldOf({ sent: true })).toEqual(named("sent", "yes"));
    expect(fieldOf({ matches: [] })).toEqual(named("matches", "none"));
    expect(fieldOf({ sum: 42 })).toEqual([{ kind: "text", text: "42" }]);
  });

  it("returns images and files next to the blocks", () => {
    const png = Buffer.from([137, 80, 78, 71]).toString("base64");
    const { files } = show({
      picture: `data:image/png;base64,${png}`,
      drawing: "<svg xmlns='http://www.w3.org/2000/svg'/>",
      file: { fileId: "1", fileName: "a.csv", url: "http://x" },
      page: "data:text/html;base64,AAAA",
    });
    expect(files).toMatchObject([
      { fileName: "picture.png", mimeType: "image/png" },
      { fileName: "drawing.svg", mimeType: "image/svg+xml" },
      { fileId: "1", fileName: "a.csv" },
    ]);
  });
});

it("shortens a text after a word in cutWords", () => {
  expect(cutWords("one two three", 10)).toBe("one two…");
  expect(cutWords("one two three", 8)).toBe("one two…");
  expect(cutWords("one two", 10)).toBe("one two");
  expect(cutWords("unbreakable", 5)).toBe("unbr…");
});

it("escapes invisible characters in plainJson", () => {
  const shown = plainJson({ a: "x\u202ey\u200b\u{e0041}", "\u2066b": "é 漢 😀" });
  expect(shown).toContain(String.raw`x\u202ey\u200b\udb40\udc41`);
  expect(shown).toContain(String.raw`\u2066b`);
  expect(shown).toContain("é 漢 😀");
  expect(JSON.parse(shown)).toEqual({ a: "x\u202ey\u200b\u{e0041}", "\u2066b": "é 漢 😀" });
});
