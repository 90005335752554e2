export const attempt = {
  tries: "to learn what a file holds by calling it a source map",
  refusedBecause: "a map that code names is never read",
};

export default () => ({ is: "refused" });
//# sourceMappingURL=/etc/passwd
