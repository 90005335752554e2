import { describe, expect, it } from "vitest";
import { browserName } from "./browser-name.ts";

describe("browserName", () => {
  it("distinguishes browsers whose user agents mention each other", () => {
    const chrome =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
    expect(browserName(chrome)).toBe("Chrome on Linux");
    expect(browserName(`${chrome} Edg/140.0`)).toBe("Edge on Linux");
    expect(
      browserName(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1",
      ),
    ).toBe("Safari on iOS");
    expect(browserName("curl/8.5.0")).toBe("curl");
    expect(browserName(null)).toBe("Unknown client");
  });
});
