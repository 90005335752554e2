/**
 * Goes to the end of code, where it replaces the source map that the code names. esbuild would read that from any path
 * without asking a plugin, and it would name places that nobody has.
 */
export const emptySourceMap = "\n//# sourceMappingURL=data:application/json,{}";
