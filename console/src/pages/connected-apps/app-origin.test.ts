import { describe, expect, it } from "vitest";
import { appOrigin } from "./app-origin.ts";

describe("appOrigin", () => {
  it("returns the host of a client ID that is a URL, whatever the app claims", () => {
    const app = {
      clientId: "https://app.example.com/client.json",
      clientUri: "https://other.test",
    };
    expect(appOrigin(app)).toBe("app.example.com");
  });

  it("marks what a registered app claims as unverified", () => {
    const claim = (clientUri: string | null) => appOrigin({ clientId: "a1b2", clientUri });
    expect(claim("https://claude.ai/apps")).toBe("claude.ai (unverified)");
    expect(claim("not a URL")).toBe("not a URL (unverified)");
    expect(claim(null)).toBeNull();
  });
});
