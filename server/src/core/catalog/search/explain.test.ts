import { describe, expect, it } from "vitest";
import { createBm25Ranker } from "./ranker.ts";
import type { SearchableTool } from "./ranker.ts";

const invoice: SearchableTool = {
  id: "1",
  name: "make_invoice_a1b2",
  title: "Make invoice",
  description: "Creates invoices as a website or screenshot for customers.",
  inputSchema: { properties: { dueDate: { description: "Last day of payment" } } },
};
const others: SearchableTool[] = [
  {
    ...invoice,
    id: "2",
    name: "weather_c3d4",
    title: "Weather",
    description: "Tells the weather.",
  },
  {
    ...invoice,
    id: "3",
    name: "parcel_label_e5f6",
    title: "Parcel label",
    description: "Prints a sticker.",
  },
];

const ranker = createBm25Ranker();
for (const tool of [invoice, ...others]) ranker.put(tool);

const explain = (query: string, tool = invoice) => ranker.explain(query)(tool);

describe("explain", () => {
  it.each([
    ["invoicing", "invoicing", "invoice", "word", ["title", "description"]],
    ["bill", "bill", "invoice", "synonym", ["title", "description"]],
    ["Rechnung erstellen", "rechnung", "invoice", "translation", ["title", "description"]],
    ["請求書", "請求書", "invoice", "translation", ["title", "description"]],
    ["invoise", "invoise", "invoice", "similar", ["title", "description"]],
    ["custom", "custom", "customers", "word", ["description"]],
    ["web site", "site", "website", "joined", ["description"]],
    ["2026-11-30", "2026-11-30", "date", "value", ["parameters"]],
    ["due", "due", "due", "word", ["parameters"]],
    ["payment", "payment", "payment", "word", ["details"]],
    ["invoi", "invoi", "invoice", "similar", ["title", "description"]],
  ])("explains %j", (query, word, matched, through, fields) => {
    expect(explain(query)).toContainEqual({ word, matched, through, fields });
  });

  it("explains two words of a tool that are written as one", () => {
    const page = others[1] as SearchableTool;
    expect(explain("parcellabel", page)).toContainEqual({
      word: "parcellabel",
      matched: "parcel label",
      through: "joined",
      fields: ["title"],
    });
  });

  it("explains a phrase", () => {
    const found = createBm25Ranker();
    const size = { ...invoice, id: "4", title: "File size", description: "Measures a file." };
    found.put(size);
    const [reason] = found.explain("how big is it")(size);
    expect(reason).toMatchObject({ word: "how big", matched: "size", through: "phrase" });
  });

  it("puts the exact name first", () => {
    expect(explain(" make_invoice_a1b2 ")[0]).toEqual({
      word: "make_invoice_a1b2",
      matched: "make_invoice_a1b2",
      through: "name",
      fields: ["title"],
    });
  });

  it("puts first what adds most to the score", () => {
    const words = explain("website invoice").map(({ word }) => word);
    expect(words).toEqual(["invoice", "website"]);
  });

  it("explains the completion of a word that is too short to be compared with all words", () => {
    expect(ranker.search("we", 5).map(({ id }) => id)).toEqual(["2"]);
    expect(explain("we", others[0])).toEqual([
      { word: "we", matched: "weather", through: "similar", fields: ["title"] },
    ]);
  });

  it("is bounded for a query of many words", () => {
    const long = createBm25Ranker();
    const words = Array.from(
      { length: 300 },
      (_, index) => `word${"abcdefghij"[index % 10]}x${index}`,
    );
    const tool = { ...invoice, description: words.join(" ") };
    long.put(tool);
    const reasons = long.explain(words.join(" "))(tool);
    expect(reasons.length).toBeGreaterThan(5);
    expect(JSON.stringify(reasons).length).toBeLessThan(4_000);
  });

  it("explains nothing for a tool that does not match, or is unknown", () => {
    expect(explain("weather")).toEqual([]);
    expect(explain("invoice", { ...invoice, id: "none" })).toEqual([]);
  });

  it("does not change what is found", () => {
    const before = ranker.search("web site invoise", 5);
    explain("web site invoise");
    explain("something else");
    expect(ranker.search("web site invoise", 5)).toEqual(before);
  });
});
