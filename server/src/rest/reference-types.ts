import { z } from "zod";

/** The parts of a JSON schema that the reference shows. */
export type Schema = {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  description?: string | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  format?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  maxLength?: number | undefined;
  maxItems?: number | undefined;
  items?: Schema | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  allOf?: Schema[] | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  additionalProperties?: boolean | Schema | undefined;
};

export const schemaShape: z.ZodType<Schema> = z.lazy(() => {
  const many = z.array(schemaShape).optional();
  return z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    format: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    maxLength: z.number().optional(),
    maxItems: z.number().optional(),
    items: schemaShape.optional(),
    anyOf: many,
    oneOf: many,
    allOf: many,
    properties: z.record(z.string(), schemaShape).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), schemaShape]).optional(),
  });
});

/** A type in a few words, with links to named schemas on `page`. */
export function describeType(schema: Schema, page = ""): string {
  const inner = (member: Schema) => describeType(member, page);
  const members = schema.anyOf ?? schema.oneOf;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return `[${name}](${page}#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(", ");
  if (members !== undefined) return members.map(inner).join(" or ");
  if (schema.allOf !== undefined) return schema.allOf.map(inner).join(" and ");
  if (schema.type === "array") return `array of ${inner(schema.items ?? {})}${boundsOf(schema)}`;
  if (schema.type === "object") return describeObject(schema, page);
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "any");
  const format = schema.format === undefined ? "" : ` (${schema.format})`;
  return `${type}${format}${boundsOf(schema)}`;
}

/** A table of the fields of a schema. Objects inside it have rows of their own. */
export function describeFields(schema: Schema, page: string): string {
  const text = schema.description === undefined ? "" : `${schema.description}\n\n`;
  const rows = rowsOf(schema, "", page);
  if (rows.length === 0) return `${text}Type: ${describeType(schema, page)}\n`;
  return `${text}| Field | Type | Required | Description |\n| - | - | - | - |\n${rows.join("\n")}\n`;
}

function rowsOf(schema: Schema, prefix: string, page: string): string[] {
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const isRequired = schema.required?.includes(name) === true;
      const path = `${prefix}${name}`;
      const isArray = field.type === "array" && field.items?.properties !== undefined;
      return [
        `| \`${path}\` | ${describeType(field, page)} | ${isRequired ? "yes" : "no"} | ${inCell(field.description ?? "")} |`,
        ...rowsOf(isArray ? (field.items ?? {}) : field, `${path}${isArray ? "[]" : ""}.`, page),
      ];
    }),
    ...alternatives.flatMap((member) => rowsOf(member, prefix, page)),
  ];
}

function describeObject({ properties, additionalProperties }: Schema, page: string): string {
  if (properties !== undefined || typeof additionalProperties !== "object") return "object";
  const values = describeType(additionalProperties, page);
  return values === "any" ? "object" : `object of ${values}`;
}

/** The largest integers of JavaScript are no bounds. */
function boundsOf({ minimum, maximum, maxLength, maxItems }: Schema): string {
  const max = maxLength ?? maxItems ?? maximum;
  if (max === undefined || max >= Number.MAX_SAFE_INTEGER) return "";
  const from =
    minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? "up to" : `${minimum} to`;
  return maxLength === undefined ? `, ${from} ${max}` : `, up to ${max} characters`;
}

function code(value: unknown): string {
  return `\`${inCell(typeof value === "string" ? value : JSON.stringify(value))}\``;
}

function inCell(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ");
}
