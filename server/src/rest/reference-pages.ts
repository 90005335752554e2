import { z } from "zod";
import { describeFields, describeType, schemaShape } from "./reference-types.ts";

const content = z.record(z.string(), z.object({ schema: schemaShape.optional() }));
const operation = z.object({
  summary: z.string(),
  description: z.string().default(""),
  tags: z.array(z.string()).default([]),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().default(false),
        description: z.string().default(""),
        schema: schemaShape.default({}),
      }),
    )
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), content: content.optional() }),
  ),
});
type Operation = z.infer<typeof operation> & { method: string; path: string };

const methods = z.partialRecord(z.enum(["get", "post", "put", "patch", "delete"]), operation);
const document = z.object({
  paths: z.record(z.string(), methods),
  components: z.object({ schemas: z.record(z.string(), schemaShape) }),
});

/** Markdown pages of an OpenAPI document by file name: one for each tag, and one for the schemas. */
export function describePages(api: unknown): ReadonlyMap<string, string> {
  const { paths, components } = document.parse(api);
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, parsed]) => ({ ...parsed, method, path })),
  );
  const groups = Map.groupBy(operations, ({ tags }) => tags[0] ?? "Other");
  const pages = [...groups].map(
    ([tag, members]) =>
      [
        `${tag.toLowerCase()}.md`,
        `# ${tag}\n\n${members.map(describeOperation).join("\n")}`,
      ] as const,
  );
  const schemas = Object.entries(components.schemas)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, schema]) => `## ${name}\n\n${describeFields(schema, "")}`);
  return new Map([
    ...pages,
    ["schemas.md", `---\noutline: false\n---\n\n# Schemas\n\n${schemas.join("\n")}`],
  ]);
}

function describeOperation(described: Operation): string {
  const { summary, method, path, description, parameters, requestBody, responses } = described;
  const rows = parameters.map(
    ({ name, in: place, required, description: text, schema }) =>
      `| \`${name}\` | ${place} | ${describeType(schema)} | ${required ? "yes" : "no"} | ${text} |`,
  );
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const errors = Object.entries(responses).flatMap(([status, { description: text }]) =>
    Number(status) < 400
      ? []
      : [...text.matchAll(/`(\w+)`:/g)].map(([, code]) => `\`${code}\` (${status})`),
  );
  return [
    `## ${summary}`,
    `\`\`\`http\n${method.toUpperCase()} /api/v1${path}\n\`\`\``,
    description,
    ...(rows.length === 0
      ? []
      : [
          `| Parameter | In | Type | Required | Description |\n| - | - | - | - | - |\n${rows.join("\n")}`,
        ]),
    ...bodiesOf(requestBody?.content).map(
      ([type, text]) => `**Request body** (\`${type}\`): ${text}`,
    ),
    ...answers.map(([status, { description: text, content: body }]) => {
      const bodies = bodiesOf(body).map(([type, shape]) => ` \`${type}\`: ${shape}.`);
      return `**Response ${status}**: ${text}${bodies.join("")}`;
    }),
    ...(errors.length === 0 ? [] : [`**[Errors](../errors.md)**: ${errors.join(", ")}`]),
    "",
  ].join("\n\n");
}

function bodiesOf(bodies: z.infer<typeof content> = {}): (readonly [string, string])[] {
  return Object.entries(bodies).map(([type, { schema = {} }]) => [
    type,
    isNamed(schema) ? describeType(schema, "schemas.md") : (schema.description ?? "any"),
  ]);
}

function isNamed(schema: z.infer<typeof schemaShape>): boolean {
  return describeType(schema) !== "any";
}
