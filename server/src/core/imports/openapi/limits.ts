/** Limits of documents and of what is made of them. Sizes are in bytes, or in characters for texts. */
export const documentLimits = {
  bytes: 20 * 1024 * 1024,
  /** Values in the document, with the targets of YAML aliases counted at each use. */
  values: 2_000_000,
  depth: 200,
  aliases: 10_000,
  operations: 20_000,
  /** Tools that one call makes. */
  keys: 500,
} as const;

/** Limits of a generated input schema, within those of a save (`core/validation/schema-limits.ts`). */
export const inputLimits = {
  bytes: 48 * 1024,
  schemas: 3_000,
  references: 1_500,
  properties: 1_000,
  alternatives: 200,
  patterns: 200,
  patternLength: 1_000,
  patternProperties: 20,
  expansion: 5_000,
} as const;
