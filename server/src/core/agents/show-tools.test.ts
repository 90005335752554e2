import { describe, expect, it } from "vitest";
import { cutAtSentence } from "./show-tools.ts";

describe("cutAtSentence", () => {
  it.each([
    ["Short.", 20, "Short."],
    ["One sentence. Another sentence.", 20, "One sentence."],
    ["Costs 1.5 euros per item and more", 20, "Costs 1.5 euros per…"],
    ["Without an end of a sentence", 12, "Without an…"],
    ["x".repeat(50), 10, `${"x".repeat(9)}…`],
  ])("cuts %s at %i characters", (text, max, cut) => {
    expect(cutAtSentence(text, max)).toBe(cut);
  });
});
