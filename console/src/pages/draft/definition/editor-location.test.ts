import { describe, expect, test } from "vitest";
import { locationOf } from "./editor-location.ts";

describe("locationOf", () => {
  test.each([
    ["/title", "details", "Title"],
    ["/limits/cpuMs", "details", "CPU time"],
    ["/source/dependencies/zod", "access", "npm packages"],
    ["/source/code", "code", "Code"],
    ["/allowedHosts/1", "access", "Allowed hosts, line 2"],
    ["/credentials/0/name", "access", "Credential 1, name"],
    ["/examples/2/output", "examples", "Example 3, output"],
    ["/inputSchema/properties/a", "input", "Input schema"],
    ["/unknown", "code", "/unknown"],
  ])("maps %s to the tab %s with the label %s", (pointer, tab, label) => {
    expect(locationOf(pointer)).toEqual({ tab, label });
  });
});
