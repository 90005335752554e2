import { deep, many, named, objectOf } from "./hostile-values.ts";

/** Outputs that are slow to read, store and show. */
export const hostileOutputs: Record<string, string> = {
  "half a million names":
    "Object.fromEntries(Array.from({ length: 500_000 }, (_, index) => [`p${index}`, 1]))",
  "as many names as allowed":
    "Object.fromEntries(Array.from({ length: 29_000 }, (_, index) => [`p${index}`, 1]))",
  "numbers as names":
    "Object.fromEntries(Array.from({ length: 29_000 }, (_, index) => [(index * 10_007) % 4e9, 1]))",
  "empty arrays": "({ a: Array.from({ length: 2_000_000 }, () => []) })",
  "objects without a common shape":
    "({ a: Array.from({ length: 29_000 }, (_, index) => ({ [`k${index}`]: 1 })) })",
  "empty texts": '({ a: Array.from({ length: 2_000_000 }, () => "") })',
  "one long text": '({ a: "x".repeat(6_000_000) })',
  "control characters": '({ a: "\\u0001".repeat(1_000_000) })',
};

/** Tools whose schemas are within every limit, with inputs that are slow to validate. */
export const hostileTools: Record<string, { schema: unknown; inputs: Record<string, unknown> }> = {
  enum: {
    schema: objectOf({ items: { enum: many(10_000, (index) => `v${index}`) } }),
    inputs: {
      "100,000 values": { a: many(100_000, (index) => `v${index % 10_000}`) },
      "100,000 other values": { a: many(90_000, (index) => `w${index}`) },
    },
  },
  pattern: {
    schema: objectOf({ pattern: "^(a+)+$" }),
    inputs: {
      "60 letters": { a: `${"a".repeat(60)}!` },
      "a megabyte": { a: `${"a".repeat(1_000_000)}!` },
    },
  },
  lookahead: {
    schema: objectOf({ pattern: "^(?=a)(a+)+$" }),
    inputs: {
      "60 letters": { a: `${"a".repeat(60)}!` },
      "a megabyte": { a: `${"a".repeat(1_000_000)}!` },
    },
  },
  "pattern of names": {
    schema: {
      type: "object",
      patternProperties: named(45, () => ({ type: "string" })),
      additionalProperties: { type: "integer" },
    },
    inputs: { "90,000 names": named(90_000, () => 1) },
  },
  unique: {
    schema: objectOf({ uniqueItems: true }),
    inputs: {
      "60,000 objects": { a: many(60_000, (index) => ({ index })) },
      "300,000 numbers": { a: many(140_000, (index) => index) },
    },
  },
  list: {
    schema: objectOf({ items: { type: "string", maxLength: 3 } }),
    inputs: {
      "500,000 wrong items": { a: many(500_000, () => 1) },
      "60,000 wrong items": { a: many(60_000, () => 1) },
      "250,000 items": { a: many(250_000, () => "a") },
    },
  },
  tree: {
    schema: {
      ...objectOf({ $ref: "#/$defs/n" }),
      $defs: {
        n: {
          type: "object",
          properties: {
            a: { anyOf: [{ $ref: "#/$defs/n" }, { $ref: "#/$defs/n" }, { $ref: "#/$defs/n" }] },
          },
          required: ["b"],
        },
      },
    },
    inputs: { "90 deep": { a: deep(90) } },
  },
  format: {
    schema: objectOf({
      items: {
        anyOf: [
          { format: "uri" },
          { format: "email" },
          { format: "date-time" },
          { format: "regex" },
          { format: "url" },
        ],
      },
    }),
    inputs: {
      "long addresses": { a: many(250, () => `http://[${"::".repeat(2_000)}`) },
      "long patterns": { a: many(100, () => "(".repeat(4_000) + ")".repeat(4_000)) },
    },
  },
  secret: {
    schema: {
      ...objectOf({ $ref: "#/$defs/n" }),
      $defs: {
        n: {
          properties: { key: { writeOnly: true } },
          additionalProperties: { $ref: "#/$defs/n" },
          items: { $ref: "#/$defs/n" },
        },
      },
    },
    inputs: {
      "many values": { a: many(200_000, () => []) },
      "many names": { a: named(80_000, () => ({})) },
    },
  },
  wide: {
    schema: {
      type: "object",
      properties: named(1_900, (index) => ({
        type: "string",
        description: `d${index}`,
        enum: ["a", "b"],
        default: "a",
      })),
      required: many(1_900, (index) => `p${index}`),
    },
    inputs: { nothing: {}, "all wrong": named(1_900, () => 1) },
  },
};
