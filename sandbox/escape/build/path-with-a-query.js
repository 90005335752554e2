export const attempt = {
  tries: "to bundle a file with a query after its path",
  blockedBecause: "a tool is one file of code and cannot import files of this machine",
  refused: "not allowed",
};

export default async () => ({ was: (await import("/etc/passwd?x=.json")).default });
