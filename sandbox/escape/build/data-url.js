export const attempt = {
  tries: "to import code from a data: URL",
  blockedBecause: "a tool is one file of code and cannot import files of this machine",
  refused: "not allowed",
};

export default async () => ({
  was: (await import("data:text/javascript,export default 1")).default,
});
