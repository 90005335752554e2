import { describe, expect, it } from "vitest";
import { cutAtSentence } from "./show-tools.ts";

describe("cutAtSentence", () => {
  it.each([
    ["Short.", 20, "Short."],
    ["One sentence. Another sentence.", 20, "One sentence."],
    ["Costs 1.5 euros per item and more", 20, "Costs 1.5 euros per…"],
    ["Ohne Punkt und Komma weiter", 12, "Ohne Punkt…"],
    ["x".repeat(50), 10, `${"x".repeat(9)}…`],
  ])("cuts %s at %i characters", (text, max, cut) => {
    expect(cutAtSentence(text, max)).toBe(cut);
  });
});
