export const attempt = {
  tries: "to read a file by declaring it as a source map",
  blockedBecause: "source maps that code refers to are never read",
};

export default () => ({ is: "refused" });
//# sourceMappingURL=/etc/passwd
