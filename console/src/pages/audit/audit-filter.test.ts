import { describe, expect, it } from "vitest";
import { toAuditQuery } from "./audit-filter.ts";
import { actionChoices, actionLabel } from "./labels.ts";

describe("toAuditQuery", () => {
  it("covers the range from the start of the first day to the end of the last", () => {
    expect(toAuditQuery({ since: "2026-02-27", until: "2026-02-28", actor: " " })).toEqual({
      since: new Date(2026, 1, 27).toISOString(),
      until: new Date(2026, 2, 1).toISOString(),
    });
  });

  it("drops an invalid date", () => {
    expect(toAuditQuery({ since: "yesterday", until: "2026-1-1", action: "run.create" })).toEqual({
      action: "run.create",
    });
  });
});

describe("actionChoices", () => {
  it("includes an unknown selected action under its own name", () => {
    expect(actionLabel("new.thing")).toBe("new.thing");
    expect(actionChoices("new.thing").map(({ id }) => id)).toContain("new.thing");
  });
});
