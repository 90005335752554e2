export type { Builder, Bundle, Requester } from "./builder.ts";
export { createBuilder } from "./builder.ts";
export { loadShippedBundles } from "./shipped-bundles.ts";
