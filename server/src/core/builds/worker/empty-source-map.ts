/**
 * Appended to code to override its own `sourceMappingURL`. esbuild would read that from any path without calling a plugin,
 * and positions would refer to files that the author does not have.
 */
export const emptySourceMap = "\n//# sourceMappingURL=data:application/json,{}";
