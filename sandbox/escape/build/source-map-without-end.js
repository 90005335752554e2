export const attempt = {
  tries: "to fill the memory of the builder by calling an endless file a source map",
  refusedBecause: "a map that code names is never read",
};

/*# sourceMappingURL=/dev/zero */
export default () => ({ is: "refused" });
