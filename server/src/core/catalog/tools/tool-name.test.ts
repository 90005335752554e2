import { toolNamePattern } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { makeToolName } from "./tool-name.ts";

describe("makeToolName", () => {
  it.each([
    ["Text statistics", /^text_statistics_[a-z0-9]{4}$/],
    ["  Ünïcode & more!! ", /^unicode_more_[a-z0-9]{4}$/],
    ["天気", /^tool_[a-z0-9]{4}$/],
    ["___", /^tool_[a-z0-9]{4}$/],
    ["x".repeat(80), /^x{59}_[a-z0-9]{4}$/],
    ["a ".repeat(40), /^(?:a_){29}a_[a-z0-9]{4}$/],
  ])("derives a valid name from %j", (title, expected) => {
    const name = makeToolName(title);
    expect(name).toMatch(expected);
    expect(name).toMatch(toolNamePattern);
    expect(name.length).toBeLessThanOrEqual(64);
  });
});
