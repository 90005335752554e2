import { describe, expect, it } from "vitest";
import { findActions, toolToRun } from "./actions.ts";

const me = {
  workspace: { id: "one", name: "One" },
  workspaces: [
    { id: "one", name: "One" },
    { id: "two", name: "Sales" },
  ],
} as unknown as Parameters<typeof findActions>[1];
const ids = (text: string) => findActions(text, me).map(({ id }) => id);

describe("findActions", () => {
  it("finds themes, other workspaces and the shortcuts by label", () => {
    expect(ids("dark")).toEqual(["theme dark"]);
    expect(ids("switch to")).toEqual(["workspace two"]);
    expect(ids("keyboard")).toEqual(["shortcuts"]);
    expect(ids(" ")).toEqual([]);
  });

  it("opens a run by its ID", () => {
    expect(findActions("01900000-0000-7000-8000-000000000000", me)).toMatchObject([
      { kind: "run", runId: "01900000-0000-7000-8000-000000000000" },
    ]);
  });
});

describe("toolToRun", () => {
  it("returns the text after run", () => {
    expect(toolToRun("Run  csv to json ")).toBe("csv to json");
    expect(toolToRun("runs")).toBeUndefined();
    expect(toolToRun("run ")).toBeUndefined();
  });
});
