import { expect, it } from "vitest";
import { describeError } from "./report-error.ts";

it("names each scope once", () => {
  const error = Object.assign(new Error("No."), {
    name: "ApiError",
    code: "insufficient_scope",
    status: 403,
    errors: [],
    missing: [],
    problem: { requiredScope: "tools:write" },
  });
  expect(describeError(error).next[0]).toBe(
    "toolhost login --scope 'mcp:read mcp:execute tools:write'",
  );
});
