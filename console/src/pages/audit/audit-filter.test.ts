import { expect, it } from "vitest";
import { actionChoices, actionLabel } from "./action-labels.ts";
import { toAuditQuery } from "./audit-filter.ts";

it("asks from the beginning of the first day to the end of the last", () => {
  expect(toAuditQuery({ since: "2026-02-27", until: "2026-02-28", actor: " " })).toEqual({
    since: new Date(2026, 1, 27).toISOString(),
    until: new Date(2026, 2, 1).toISOString(),
  });
});

it("leaves out what is no day", () => {
  expect(toAuditQuery({ since: "yesterday", until: "2026-1-1", action: "run.create" })).toEqual({
    action: "run.create",
  });
});

it("shows an action that it does not know by its name, and can be filtered by it", () => {
  expect(actionLabel("new.thing")).toBe("new.thing");
  expect(actionChoices("new.thing").map(({ id }) => id)).toContain("new.thing");
});
