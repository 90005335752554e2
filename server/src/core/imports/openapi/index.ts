export { OpenApiError } from "./errors.ts";
export { createOpenApiReader } from "./reader.ts";
export type { OpenApiReader } from "./reader.ts";
export type * from "./types.ts";
