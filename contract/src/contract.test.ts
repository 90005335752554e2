import { describe, expect, it } from "vitest";
import { errorCodes, scopes, createToolInput, toolNamePattern, updateToolInput } from "./index.ts";

const draft = {
  title: "Add",
  description: "Adds.",
  inputSchema: { type: "object" },
  source: { language: "typescript", code: "export default () => ({})" },
};
const pathsOf = (value: unknown) =>
  createToolInput.safeParse(value).error?.issues.map(({ path }) => path.join("/")) ?? [];

describe("errorCodes, scopes and tool names", () => {
  it("gives every error code a known status, a title, and what it means and what to do", () => {
    for (const [code, { status, title, meaning }] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      expect([400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 416, 422, 429, 500, 503]).toContain(
        status,
      );
      expect(title).not.toBe("");
      expect(meaning).toMatch(/\. [A-Z`].*\.$/);
    }
  });

  it("lists the scopes of the specification first", () => {
    expect(Object.keys(scopes).slice(0, 2)).toEqual(["mcp:read", "mcp:execute"]);
  });

  it.each([
    ["add_numbers_a1b2", true],
    ["add_a1b2", true],
    ["a1b2", false],
    ["Add_a1b2", false],
    ["add__a1b2", false],
    ["../a_a1b2", false],
    ["add_a1b2\n", false],
    ["add_a1b", false],
  ])("matches %j with toolNamePattern: %j", (name, isName) => {
    expect(toolNamePattern.test(name)).toBe(isName);
  });
});

describe("createToolInput", () => {
  it("has defaults for optional fields", () => {
    expect(createToolInput.parse(draft)).toMatchObject({
      outputSchema: { properties: [] },
      fileFields: [],
      credentials: [],
      allowedHosts: [],
      timeoutMs: 900_000,
      isolation: "reuse",
      visibility: "workspace",
      examples: [],
    });
  });

  it.each([
    ["^1.2.3", true],
    ["1.2.x", true],
    ["1.0.0-beta.1", true],
    ["latest", false],
    ["file:../x", false],
    ["npm:other@1.0.0", false],
    ["git+https://example.com/a.git", false],
    ["1.2.3 || 2", false],
  ])("accepts the package version %j: %j", (version, isTaken) => {
    const source = { ...draft.source, dependencies: { left: version } };
    expect(pathsOf({ ...draft, source })).toEqual(isTaken ? [] : ["source/dependencies/left"]);
  });

  it.each([
    ["api.example.com", true],
    ["*.example.com", true],
    ["localhost:8080", true],
    ["https://example.com", false],
    ["example.com/path", false],
    ["*", false],
    ["exa mple.com", false],
    ["api.example.com:8443", true],
    ["http://api.example.com", true],
    ["http://api.example.com:8080", true],
    ["http://*.example.com", true],
    ["10.0.0.5:8080", true],
    ["[2606:4700::1111]", true],
    ["http://[::1]:8080", true],
    ["127.1", false],
    ["0x7f.1", false],
    ["2130706433", false],
    ["*.127.0.0.1", false],
    ["[2606:4700:0:0::1111]", false],
    ["api.example.com:0", false],
    ["api.example.com:65536", false],
    ["user@example.com", false],
    ["ftp://example.com", false],
  ])("accepts the host %j: %j", (host, isTaken) => {
    expect(pathsOf({ ...draft, allowedHosts: [host] })).toEqual(isTaken ? [] : ["allowedHosts/0"]);
  });

  it("accepts some fields in updateToolInput, and rejects an empty patch", () => {
    expect(updateToolInput.parse({ title: "Other" })).toEqual({ title: "Other" });
    expect(updateToolInput.safeParse({}).success).toBe(false);
    expect(updateToolInput.safeParse({ name: "mine" }).success).toBe(false);
  });
});
