import type { JsonLimits } from "#lib/strict-json";

/** Limits for JSON that people write, such as a tool. */
export const jsonLimits: JsonLimits = { values: 120_000, containers: 20_000 };
/** Inputs of tools may be arrays of numbers as long as a request body. */
export const inputLimits: JsonLimits = { values: 600_000, containers: 200_000 };
