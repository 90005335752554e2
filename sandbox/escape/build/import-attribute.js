export const attempt = {
  tries: "to bundle a file as text with an import attribute",
  blockedBecause: "a tool is one file of code and cannot import files of this machine",
  refused: "not allowed",
};

export default async () => ({
  was: (await import("/etc/passwd", { with: { type: "text" } })).default,
});
