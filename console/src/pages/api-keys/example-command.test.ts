import { describe, expect, it } from "vitest";
import { exampleCommand } from "./example-command.ts";

describe("exampleCommand", () => {
  it("calls an endpoint that the scopes of the key allow", () => {
    const key = {
      id: "1",
      name: "CI",
      prefix: "th_1",
      key: "th_123",
      createdAt: "2026-03-01T12:00:00Z",
      expiresAt: null,
    };
    const command = (scopes: ["mcp:read"] | ["mcp:execute"]) =>
      exampleCommand({ ...key, scopes }, "http://localhost:3000");
    expect(command(["mcp:read"])).toBe(
      "curl -s 'http://localhost:3000/api/v1/tools?limit=5' -H 'Authorization: Bearer th_123'",
    );
    expect(command(["mcp:execute"])).toContain("/api/v1/me'");
  });
});
