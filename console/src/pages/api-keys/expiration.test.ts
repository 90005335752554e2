import { describe, expect, it } from "vitest";
import { expirationText, expiresAt } from "./expiration.ts";

describe("expiresAt", () => {
  it("counts the days from now", () => {
    const now = new Date("2026-03-01T12:00:00Z");
    expect(expiresAt("30", now)).toBe("2026-03-31T12:00:00.000Z");
    expect(expiresAt("never", now)).toBeNull();
    expect(expirationText(expiresAt("30", now))).toBe("Expires on Mar 31, 2026.");
    expect(expirationText(null)).toBe("Valid until it is revoked.");
  });
});
