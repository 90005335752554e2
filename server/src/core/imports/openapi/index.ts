export { OpenApiError } from "./errors.ts";
export type { OpenApiErrorCode } from "./errors.ts";
export type * from "./types.ts";
