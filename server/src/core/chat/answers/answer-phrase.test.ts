import { describe, expect, it } from "vitest";
import { readPhrase } from "./read-phrase.ts";

describe("readPhrase", () => {
  it.each([
    ["Help!", "help"],
    ["what can you do?", "help"],
    ["who are you?", "help"],
    ["hi", "greeting"],
    ["Hello!", "greeting"],
    ["list tools", "listTools"],
    ["list all my tools", "listTools"],
    ["show me your tools please", "listTools"],
    ["Show me all the tools.", "listTools"],
    ["STOP", "stop"],
    ["never mind", "stop"],
    ["cancel that", "stop"],
    ["stop it please", "stop"],
    ["please stop", "stop"],
    ["Thanks 🙏", "thanks"],
    ["thank you :pray::skin-tone-2:", "thanks"],
    ["Thanks!", "thanks"],
    ["great, thank you so much", "thanks"],
  ])("recognizes %j", (text, phrase) => {
    expect(readPhrase(text)).toBe(phrase);
  });

  it.each([
    "stop the web server",
    "cancel that order",
    "hi Bob",
    "help me convert 5 miles",
    "list tools of the garage",
    "",
    "ok",
  ])("leaves %j to the search", (text) => {
    expect(readPhrase(text)).toBeUndefined();
  });
});
