import { expect, it } from "vitest";
import { expiresAt, expiryText } from "./expiry.ts";
import { exampleCommand } from "./example-command.ts";

it("counts a key's days from now", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  expect(expiresAt("30", now)).toBe("2026-03-31T12:00:00.000Z");
  expect(expiresAt("never", now)).toBeNull();
  expect(expiryText(expiresAt("30", now))).toBe("It holds until 31 March 2026.");
  expect(expiryText(null)).toBe("It holds until it is revoked.");
});

it("tries a key with what its scopes allow", () => {
  const key = {
    id: "1",
    name: "CI",
    prefix: "th_1",
    key: "th_123",
    createdAt: "2026-03-01T12:00:00Z",
    expiresAt: null,
  };
  const asks = (scopes: ["mcp:read"] | ["mcp:execute"]) =>
    exampleCommand({ ...key, scopes }, "http://localhost:3000");
  expect(asks(["mcp:read"])).toBe(
    "curl -s 'http://localhost:3000/api/v1/tools?limit=5' -H 'Authorization: Bearer th_123'",
  );
  expect(asks(["mcp:execute"])).toContain("/api/v1/me'");
});
