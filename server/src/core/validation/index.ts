export { describeTypes } from "./error-details.ts";
export { hidden } from "./hide-secrets.ts";
export { inputLimits, jsonLimits } from "./json-limits.ts";
export type { JsonParser } from "./json-parser.ts";
export type { InputSchema } from "./prepare-schema.ts";
export { prepareSchema } from "./prepare-schema.ts";
export { walkSchemas } from "./schema-walk.ts";
export type { Validation } from "./validation.ts";
export { createValidation, largeText } from "./validation.ts";
