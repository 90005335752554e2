import type { JsonObject } from "@toolhost/contract";
import { readStarterTools } from "@toolhost/starter-tools";
import { describe, expect, it } from "vitest";
import { prefill } from "./prefill.ts";

const of = (properties: JsonObject, text: string, fileFields: string[] = []) =>
  prefill({ inputSchema: { type: "object", properties }, fileFields }, text);

const unit = { enum: ["km", "miles"] };

describe("prefill", () => {
  it.each([
    ["the only number", { n: { type: "number" } }, "convert 5.5 to feet", { n: 5.5 }],
    ["a negative number", { n: { type: "number" } }, "add -3", { n: -3 }],
    [
      "the only date",
      { day: { type: "string", format: "date" } },
      "for 2026-12-24",
      { day: "2026-12-24" },
    ],
    [
      "the only address",
      { to: { type: "string", format: "email" } },
      "to a.b@c.example.",
      { to: "a.b@c.example" },
    ],
    [
      "the only link",
      { at: { type: "string", format: "uri" } },
      "see https://a.example/x?y=1.",
      { at: "https://a.example/x?y=1" },
    ],
    [
      "the only quoted text",
      { title: { type: "string" } },
      'call it "Big day"',
      { title: "Big day" },
    ],
    ["a choice that is named", { unit }, "in Miles please", { unit: "miles" }],
    [
      "as many numbers as fields",
      { a: { type: "number" }, b: { type: "number" } },
      "add 2 and 40",
      { a: 2, b: 40 },
    ],
    [
      "an amount and its units",
      { value: { type: "number" }, from: { type: "string" }, to: { type: "string" } },
      "I want to convert 5 miles to km",
      { value: 5, from: "miles", to: "km" },
    ],
    [
      "units that are choices",
      { amount: { type: "number" }, fromUnit: unit, toUnit: unit },
      "convert 5 Miles to km",
      { amount: 5, fromUnit: "miles", toUnit: "km" },
    ],
    [
      "values with the names of their fields",
      { city: { type: "string" }, days: { type: "integer" }, hours: { type: "integer" } },
      "forecast city: Oslo, days=3",
      { city: "Oslo", days: 3 },
    ],
  ])("takes %s", (_, properties, text, expected) => {
    expect(of(properties as JsonObject, text)).toEqual(expected);
  });

  it.each([
    ["two numbers", { n: { type: "number" } }, "between 3 and 5"],
    ["a number for two fields", { a: { type: "number" }, b: { type: "number" } }, "add 3"],
    ["a fraction for a whole number", { n: { type: "integer" } }, "take 3.5"],
    [
      "parts of words, times, dates, versions and amounts",
      { n: { type: "number" } },
      "a4 12:30 2026-01-02 1.2.3 1,000",
    ],
    ["two choices", { unit }, "from km to miles"],
    ["one choice for two fields", { from: unit, to: unit }, "all in km"],
    ["a part of a word as a choice", { unit }, "smiles"],
    ["text without quotes", { title: { type: "string" } }, "call it Big day"],
    [
      "secrets",
      { key: { type: "string", format: "password" }, pin: { type: "number", writeOnly: true } },
      'with "hunter2" and 1234',
    ],
    ["anything that is negated", { n: { type: "number" }, unit }, "do NOT convert 5 miles"],
    ["anything that is negated in short", { n: { type: "number" } }, "don’t take 5"],
  ])("leaves out %s", (_, properties, text) => {
    expect(of(properties as JsonObject, text)).toEqual({});
  });

  it("leaves out fields for files", () => {
    expect(of({ file: { type: "string" } }, 'open "secret.txt"', ["file"])).toEqual({});
  });

  it("prefers required fields to optional ones, and those without a default to others", () => {
    const count = { type: "number" };
    const inputSchema: JsonObject = {
      type: "object",
      properties: { count, digits: count, note: { type: "string" } },
      required: ["count"],
    };
    expect(prefill({ inputSchema, fileFields: [] }, 'take 5 as "lamps"')).toEqual({
      count: 5,
      note: "lamps",
    });
    expect(of({ size: count, digits: { ...count, default: 3 } }, "take 5")).toEqual({ size: 5 });
  });

  it.each([
    ["unit-converter", "convert 5 miles to km", { value: 5, from: "miles", to: "km" }],
    ["qr-code", "make a QR code for https://example.com", { text: "https://example.com" }],
    [
      "text-statistics",
      'count the words of "the quick brown fox"',
      { text: "the quick brown fox" },
    ],
  ])("fills the required input of the starter tool %s", async (slug, text, expected) => {
    const tools = (await readStarterTools()).filter((one) => one.slug === slug);
    const [inputSchema = {}] = tools.map(
      ({ draft }) => (draft as { inputSchema: JsonObject }).inputSchema,
    );
    expect(prefill({ inputSchema, fileFields: [] }, text)).toEqual(expected);
  });
});
