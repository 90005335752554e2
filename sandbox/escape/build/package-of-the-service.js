export const attempt = {
  tries: "to bundle a package of the service that it does not declare",
  blockedBecause: "a tool is one file of code and cannot import files of this machine",
  refused: "not allowed",
};

export default async () => ({ was: (await import("better-sqlite3")).default });
