import { describe, expect, it } from "vitest";
import { fieldLabel, humanizeKey } from "./humanize-key.ts";

describe("humanizeKey", () => {
  it.each([
    ["city", "City"],
    ["readingTimeSeconds", "Reading time (seconds)"],
    ["timeout_ms", "Timeout (ms)"],
    ["durationInSeconds", "Duration (seconds)"],
    ["fileSizeMb", "File size (MB)"],
    ["max-days", "Max days"],
    ["numberOfDays", "Number of days"],
    ["days", "Days"],
    ["userId", "User ID"],
    ["imageURLs", "Image URLs"],
    ["parseHTMLText", "Parse HTML text"],
    ["sha256Hash", "Sha256 hash"],
  ])("makes %s a label", (key, label) => {
    expect(humanizeKey(key)).toBe(label);
  });

  it.each([
    "",
    "GITHUB_TOKEN",
    "X-Request-Id",
    "größe",
    "a b",
    "_id",
    "a".repeat(200),
    "__proto__",
  ])("leaves %s as it is", (key) => {
    expect(humanizeKey(key)).toBe(key);
  });
});

describe("fieldLabel", () => {
  it.each([
    ["dueDate", { title: " Deadline " }, "Deadline"],
    ["dueDate", { title: " " }, "Due date"],
    ["dueDate", { title: 1 }, "Due date"],
    ["dueDate", true, "Due date"],
    ["dueDate", undefined, "Due date"],
  ])("returns the label of %s with the schema %j", (key, schema, label) => {
    expect(fieldLabel(key, schema)).toBe(label);
  });
});
