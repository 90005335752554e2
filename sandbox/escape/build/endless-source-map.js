export const attempt = {
  tries: "to fill the builder's memory by declaring an endless file as a source map",
  blockedBecause: "source maps that code refers to are never read",
};

/*# sourceMappingURL=/dev/zero */
export default () => ({ is: "refused" });
