import { describe, expect, it } from "vitest";
import { readPhrase } from "./read-phrase.ts";

describe("readPhrase", () => {
  it.each([
    ["Help!", "help"],
    ["what can you do?", "help"],
    ["list tools", "listTools"],
    ["Show me all the tools.", "listTools"],
    ["STOP", "stop"],
    ["never mind", "stop"],
    ["Thanks!", "thanks"],
    ["great, thank you so much", "thanks"],
  ])("recognizes %j", (text, phrase) => {
    expect(readPhrase(text)).toBe(phrase);
  });

  it.each(["stop the web server", "help me convert 5 miles", "list tools of the garage", "", "ok"])(
    "leaves %j to the search",
    (text) => {
      expect(readPhrase(text)).toBeUndefined();
    },
  );
});
