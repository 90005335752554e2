import { describe, expect, it } from "vitest";
import { sendAt } from "./quiet-hours.ts";

const night = { timeZone: "Europe/Berlin", start: "22:00", end: "07:00" };
const at = (text: string) => Date.parse(text);

describe("sendAt", () => {
  it("returns the moment outside of quiet hours", () => {
    const noon = at("2030-01-10T11:00:00Z");
    expect(sendAt(noon, night)).toBe(noon);
    expect(sendAt(noon, null)).toBe(noon);
    const end = at("2030-01-10T06:00:00Z");
    expect(sendAt(end, night)).toBe(end);
  });

  it("returns the end of quiet hours in their time zone", () => {
    expect(sendAt(at("2030-01-10T21:00:30Z"), night)).toBe(at("2030-01-11T06:00:00Z"));
    expect(sendAt(at("2030-01-11T05:59:59Z"), night)).toBe(at("2030-01-11T06:00:00Z"));
    const lunch = { ...night, start: "12:00", end: "13:00" };
    expect(sendAt(at("2030-01-10T11:30:00Z"), lunch)).toBe(at("2030-01-10T12:00:00Z"));
    expect(sendAt(at("2030-01-10T12:00:00Z"), lunch)).toBe(at("2030-01-10T12:00:00Z"));
  });

  it("returns the end in local time when the clock changes in between", () => {
    expect(sendAt(at("2030-03-30T22:00:00Z"), night)).toBe(at("2030-03-31T05:00:00Z"));
    expect(sendAt(at("2030-10-26T21:00:00Z"), night)).toBe(at("2030-10-27T06:00:00Z"));
  });
});
