// cspell:ignore tianqiyubao Größe ändern grosse andern Прогноз погоды prognoz pogody
import { toolNamePattern } from "@toolhost/contract";
import { describe, expect, it } from "vitest";
import { makeToolName } from "./tool-name.ts";

describe("makeToolName", () => {
  it.each([
    ["Text statistics", /^text_statistics_[a-z0-9]{4}$/],
    ["  Ünïcode & more!! ", /^unicode_more_[a-z0-9]{4}$/],
    ["天気予報", /^tianqiyubao_[a-z0-9]{4}$/],
    ["Größe ändern ½", /^grosse_andern_1_2_[a-z0-9]{4}$/],
    ["Прогноз погоды", /^prognoz_pogody_[a-z0-9]{4}$/],
    ["🫥\u0301", /^[a-z_]+_[a-z0-9]{4}$/],
    ["\ufffd", /^tool_[a-z0-9]{4}$/],
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
