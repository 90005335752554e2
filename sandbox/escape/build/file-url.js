export const attempt = {
  tries: "to bundle a file with a file: URL",
  blockedBecause: "a tool is one file of code and cannot import files of this machine",
  refused: "not allowed",
};

export default async () => ({ was: (await import("file:///etc/passwd")).default });
