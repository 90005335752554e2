import { expect, it } from "vitest";
import { formatDays, parseDays } from "./retention-days.ts";

it("takes an empty field for the server's own, and refuses what is no number of days", () => {
  expect(parseDays(" ")).toBeNull();
  expect(parseDays("30")).toBe(30);
  for (const text of ["0", "-1", "1.5", "a week"]) expect(parseDays(text)).toBeUndefined();
});

it("says how long it is", () => {
  expect([null, 1, 90].map(formatDays)).toEqual(["for ever", "one day", "90 days"]);
});
