import { describe, expect, it } from "vitest";
import { timeZoneChoices } from "./time-zones.ts";

describe("timeZoneChoices", () => {
  it("groups time zones by region, those without a region first", () => {
    const choices = timeZoneChoices("UTC");
    expect(choices[0]).toEqual({ id: "UTC", label: "UTC" });
    expect(choices).toContainEqual({ id: "Europe/Berlin", label: "Berlin", group: "Europe" });
    expect(choices).toContainEqual({
      id: "America/New_York",
      label: "New York",
      group: "America",
    });
    const groups = choices.map(({ group }) => group);
    const starts = groups.filter((group, at) => at === 0 || group !== groups[at - 1]);
    expect(new Set(starts).size).toBe(starts.length);
  });

  it("contains a chosen time zone that the browser does not list, once", () => {
    expect(timeZoneChoices("US/Pacific").filter(({ id }) => id === "US/Pacific")).toHaveLength(1);
    expect(
      timeZoneChoices("Europe/Berlin").filter(({ id }) => id === "Europe/Berlin"),
    ).toHaveLength(1);
  });
});
