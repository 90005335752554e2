import { deep, hostileDraft, many, named, objectOf } from "./hostile-values.ts";

const code = "export default async () => ({})";

/** Tool definitions with hostile parts other than schemas. */
export const hostileDefinitions: Record<string, unknown> = {
  "a title of a megabyte": hostileDraft({ type: "object" }, { title: "x ".repeat(500_000) }),
  "a description of a megabyte": hostileDraft(
    { type: "object" },
    { description: "x".repeat(1_000_000) },
  ),
  "control characters": hostileDraft({ type: "object" }, { description: "\u0001".repeat(170_000) }),
  "a long description": hostileDraft({ type: "object" }, { description: "\u0390".repeat(4_000) }),
  "300,000 examples": hostileDraft({ type: "object" }, { examples: many(300_000, () => 1) }),
  "twenty large examples": hostileDraft(objectOf({ items: { enum: ["a"] } }), {
    examples: many(20, () => ({ input: { a: many(12_000, () => "b") } })),
  }),
  "examples with deep values": hostileDraft(
    { type: "object" },
    { examples: many(20, () => ({ input: { a: many(100, () => deep(80)) } })) },
  ),
  "empty credentials": hostileDraft({ type: "object" }, { credentials: many(300_000, () => ({})) }),
  "credentials with many hosts": hostileDraft(
    { type: "object" },
    {
      credentials: many(20, (index) => ({
        name: `C${index}`,
        hosts: many(2_000, () => "a.example.com"),
      })),
    },
  ),
  "wrong hosts": hostileDraft(
    { type: "object" },
    { allowedHosts: many(50, () => `${"a-".repeat(130)}!`) },
  ),
  "80,000 dependencies": hostileDraft(
    { type: "object" },
    { source: { language: "javascript", code, dependencies: named(80_000, () => "1") } },
  ),
  "80,000 wrong dependencies": hostileDraft(
    { type: "object" },
    {
      source: {
        language: "javascript",
        code,
        dependencies: Object.fromEntries(many(80_000, (index) => [`P${index}`, 1])),
      },
    },
  ),
  "80,000 unknown fields": hostileDraft(
    { type: "object" },
    named(80_000, () => 1),
  ),
  "300,000 outputs": hostileDraft(
    { type: "object" },
    { outputSchema: { properties: many(300_000, () => ({})) } },
  ),
  "200 outputs of many fields": hostileDraft(
    { type: "object" },
    {
      outputSchema: {
        properties: many(200, (index) => ({
          name: `o${index}`,
          type: "any",
          ...named(300, () => []),
        })),
      },
    },
  ),
  "file fields of 200 letters": hostileDraft(
    { type: "object" },
    { fileFields: many(50, (index) => "f".repeat(199) + index) },
  ),
  "40,000 names of properties and file fields": hostileDraft(
    { type: "object", properties: named(1_900, () => ({ type: "string" })) },
    { fileFields: many(50, (index) => `p${index}`) },
  ),
};
