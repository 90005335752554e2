import { expect, it } from "vitest";
import { browserWords } from "./browser-words.ts";

it("tells browsers apart that name each other", () => {
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
  expect(browserWords(chrome)).toBe("Chrome on Linux");
  expect(browserWords(`${chrome} Edg/140.0`)).toBe("Edge on Linux");
  expect(
    browserWords(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1",
    ),
  ).toBe("Safari on iOS");
  expect(browserWords("curl/8.5.0")).toBe("curl");
  expect(browserWords(null)).toBe("An unknown program");
});
