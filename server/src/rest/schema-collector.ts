import { z } from "zod";

type Json = { [name: string]: unknown };

/** JSON Schemas of an OpenAPI document, for generators of clients. */
export type SchemaCollector = {
  components: Record<string, Json>;
  /** The JSON Schema to use in place. Schemas with an ID are moved to the components. */
  add(schema: z.ZodType, io: "input" | "output"): Json;
  /** The JSON Schema of a parameter. */
  inline(schema: z.ZodType): Json;
};

type Conversion = {
  /** A schema with defaults requires fewer fields in a request than in a response, so each gets its own component. */
  io: "input" | "output";
  isParameter?: boolean;
};

export function createSchemaCollector(): SchemaCollector {
  const components: Record<string, Json> = {};
  const convert = (schema: z.ZodType, conversion: Conversion): Json => {
    const { io } = conversion;
    const options = { io, unrepresentable: "any", reused: "inline" } as const;
    const converted = z.toJSONSchema(schema, options) as Json & { $defs?: Record<string, Json> };
    const { $schema: _, $defs = {}, id, ...root } = converted;
    for (const [name, definition] of Object.entries($defs)) {
      if (!isAnonymous(name)) {
        components[componentName(name, io)] = rewriteSchema(definition, conversion);
      }
    }
    const rewritten = rewriteSchema(root, conversion);
    if (typeof id !== "string") return rewritten;
    const name = componentName(id, io);
    components[name] = rewritten;
    return { $ref: `#/components/schemas/${name}` };
  };
  return {
    components,
    add: (schema, io) => convert(schema, { io }),
    inline: (schema) => convert(schema, { io: "input", isParameter: true }),
  };
}

/** The only recursive schema without an ID is that of any JSON value. */
function isAnonymous(name: string): boolean {
  return name.startsWith("__schema");
}

function componentName(id: string, io: "input" | "output"): string {
  return io === "output" || id.endsWith("Input") ? id : `${id}Input`;
}

/** Keywords whose value is a schema, or a list of schemas. */
const schemaKeywords = new Set([
  "items",
  "prefixItems",
  "additionalProperties",
  "propertyNames",
  "not",
  "anyOf",
  "oneOf",
  "allOf",
]);

function rewriteSchema(schema: Json, conversion: Conversion): Json {
  const { $ref: reference, id: _, default: byDefault, ...keywords } = schema;
  const rewritten = {
    ...(typeof reference === "string" ? rewriteReference(reference, conversion) : {}),
    ...Object.fromEntries(
      Object.entries(keywords).map(([keyword, value]) => [
        keyword,
        rewriteKeyword(keyword, value, conversion),
      ]),
    ),
  };
  if (byDefault === undefined) return rewritten;
  if (conversion.io === "output" || conversion.isParameter === true) {
    return { ...rewritten, default: byDefault };
  }
  // Generators require a field with a default, although a request may leave it out.
  const note = `Default: \`${JSON.stringify(byDefault)}\`.`;
  const { description } = keywords;
  return {
    ...rewritten,
    description: typeof description === "string" ? `${description} ${note}` : note,
  };
}

function rewriteReference(reference: string, { io }: Conversion): Json {
  const name = reference.replace("#/$defs/", "");
  // Generators turn a schema without keywords into a type for any value, but most of them fail on a recursive one.
  return isAnonymous(name) ? {} : { $ref: `#/components/schemas/${componentName(name, io)}` };
}

function rewriteKeyword(keyword: string, value: unknown, conversion: Conversion): unknown {
  const rewrite = (schema: unknown) =>
    isObject(schema) ? rewriteSchema(schema, conversion) : schema;
  if (keyword === "properties" && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, schema]) => [name, rewrite(schema)]),
    );
  }
  if (!schemaKeywords.has(keyword)) return value;
  return Array.isArray(value) ? value.map(rewrite) : rewrite(value);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
