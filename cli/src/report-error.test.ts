import { afterEach, expect, it, vi } from "vitest";
import { describeError } from "./report-error.ts";

afterEach(() => void vi.unstubAllEnvs());

const error = Object.assign(new Error("No."), {
  name: "ApiError",
  code: "insufficient_scope",
  status: 403,
  errors: [],
  missing: [],
  problem: { requiredScope: "tools:write" },
});
const login = "toolhost login --scope 'mcp:read mcp:execute tools:write'";

it("names each scope once", () => {
  vi.stubEnv("TOOLHOST_API_KEY", undefined);
  expect(describeError(error).next).toEqual([login]);
});

it("names the key first while it has precedence over a sign-in", () => {
  vi.stubEnv("TOOLHOST_API_KEY", "th_key");
  expect(describeError(error).next).toEqual([
    "set TOOLHOST_API_KEY to a key with the scope tools:write",
    `or unset TOOLHOST_API_KEY, then: ${login}`,
  ]);
});
