export const attempt = {
  tries: "to bundle a file in its own folder",
  blockedBecause: "a tool is one file of code and cannot import files of this machine",
  refused: "not allowed",
};

export default async () => ({ was: (await import("./secret.json")).default });
