import { deep, many, named, objectOf } from "./hostile-values.ts";

const doubling = (count: number) => ({
  type: "object",
  $ref: "#/$defs/l0",
  $defs: Object.fromEntries(
    many(count + 1, (index) => {
      const next = { $ref: `#/$defs/l${index + 1}` };
      return [`l${index}`, index === count ? {} : { allOf: [next, next] }];
    }),
  ),
});

/** Hostile input schemas of tools to save. */
export const hostileSchemas: Record<string, unknown> = {
  "enum of 100,000": objectOf({ enum: many(100_000, (index) => `v${index}`) }),
  "enum of objects": objectOf({ enum: many(40_000, (index) => ({ index })) }),
  "60,000 types": objectOf({ type: many(60_000, (index) => `t${index}`) }),
  "4,000 properties": {
    type: "object",
    properties: named(4_000, () => ({ type: "string", minLength: 1 })),
  },
  "1,900 properties": {
    type: "object",
    properties: named(1_900, () => ({ type: "string", minLength: 1, description: "x" })),
  },
  "1,900 wrong properties": { type: "object", properties: named(1_900, () => ({ type: "strin" })) },
  "50,000 empty properties": { type: "object", properties: named(50_000, () => ({})) },
  "90,000 required": { type: "object", required: many(90_000, (index) => `r${index}`) },
  "250 oneOf": objectOf({
    oneOf: many(250, (index) => ({ type: "object", properties: { k: { const: index } } })),
  }),
  "300 allOf, nothing unevaluated": {
    type: "object",
    allOf: many(300, (index) => ({ properties: named(10, () => ({ const: index })) })),
    unevaluatedProperties: false,
  },
  "references that double": doubling(60),
  "10,000 references": {
    ...objectOf({ prefixItems: many(10_000, () => ({ $ref: "#/$defs/a" })) }),
    $defs: { a: { type: "string" } },
  },
  "arrays in arrays": objectOf({ default: many(300_000, () => []) }),
  "90 deep, often": objectOf({ examples: many(1_300, () => deep(85)) }),
  "patterns of 1,000 characters": objectOf({
    properties: Object.fromEntries(
      many(290, (index) => [`p${index}`, { pattern: `^(?:${"a?".repeat(480)})${index}` }]),
    ),
  }),
  "a pattern of a megabyte": objectOf({ pattern: `(${"a|".repeat(400_000)}b)` }),
  "a pattern of repetitions": objectOf({ pattern: "(?:(?:a{100}){100}){100}" }),
  "a description of a megabyte": objectOf({ description: "x".repeat(1_000_000) }),
  "letters that combine": objectOf({ description: `a${"\u0301\u0323".repeat(200_000)}` }),
  "ligatures that grow": objectOf({ description: "\ufdfa".repeat(300_000) }),
  "words without end": {
    type: "object",
    properties: named(1_500, (index) => ({ description: `word${index} `.repeat(40) })),
  },
  "names with slashes": {
    type: "object",
    properties: Object.fromEntries(many(30_000, (index) => [`${"~/".repeat(5)}${index}`, 1])),
  },
};
