import type { JsonLimits } from "#lib/strict-json";

/** What people write, such as a tool, holds no more. */
export const jsonLimits: JsonLimits = { values: 120_000, containers: 20_000 };
/** Inputs of tools may be lists of numbers as long as a body may be. */
export const inputLimits: JsonLimits = { values: 600_000, containers: 200_000 };
