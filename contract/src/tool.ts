import { z } from "zod";

/** Bounds of what a tool may declare. Sizes are in characters unless named otherwise. */
export const toolLimits = {
  title: 80,
  description: 4_000,
  code: 512 * 1024,
  name: 64,
  dependencies: 20,
  allowedHosts: 50,
  credentials: 20,
  examples: 20,
  outputProperties: 200,
  timeoutMs: { min: 100, max: 900_000, default: 900_000 },
} as const;

/** A tool's name: words of `[a-z0-9]` joined by underscores, ending in a suffix of four. */
export const toolNamePattern = /^[a-z0-9]+(?:_[a-z0-9]+)*_[a-z0-9]{4}$/;

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    // Control characters have no place in a one-line text, and PostgreSQL refuses NUL.
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be one line without control characters");

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, "must not hold control characters");

export type JsonObject = { [name: string]: z.infer<ReturnType<typeof z.json>> };

/** A JSON object, kept as it was sent. It came from JSON, and to look through it again takes longer than parsing. */
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.any());

/** Types that a property of a tool's output may declare. `any` accepts every JSON value. */
export const outputTypes = [
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
  "any",
] as const;

export const outputSchema = z
  .strictObject({
    properties: z
      .array(
        // What else an author says of a property, such as its unit, is kept.
        z.looseObject({
          name: z.string().min(1).max(200),
          type: z.enum(outputTypes),
          description: text(2_000).default(""),
          /** True for a property that an output may leave out. */
          optional: z.boolean().optional(),
        }),
      )
      .max(toolLimits.outputProperties),
  })
  .meta({ id: "OutputSchema" });
export type OutputSchema = z.infer<typeof outputSchema>;

/** An npm package name as the registry allows it, scoped or not. */
const packageName = z
  .string()
  .max(214)
  .regex(/^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/, "must be an npm package name");

/** A version or range from the registry; never an address, a path or an alias. */
const packageVersion = z
  .string()
  .max(100)
  .regex(
    /^[\^~<>=]{0,2}\d+(?:\.(?:\d+|x|\*)){0,2}(?:[-+][0-9A-Za-z.-]+)?$/,
    'must be a version such as "4.6.7", or a range such as "^4.6.0"',
  );

/** npm packages by their names, with a version or range each. */
export const toolDependencies = z
  .unknown()
  // Counted first: to say what is wrong with each of 80,000 takes long.
  .refine((value) => Object.keys(value ?? {}).length <= toolLimits.dependencies, {
    message: `at most ${toolLimits.dependencies} dependencies`,
    abort: true,
  })
  .pipe(z.record(packageName, packageVersion));

export const toolSource = z
  .strictObject({
    language: z.enum(["typescript", "javascript"]),
    code: z.string().min(1).max(toolLimits.code),
    dependencies: toolDependencies.optional(),
  })
  .meta({ id: "ToolSource" });
export type ToolSource = z.infer<typeof toolSource>;

/** A host that a tool may reach: by https, or after `http://` by plain http. */
export const allowedHost = z
  .string()
  .max(270)
  .regex(
    /^(?:http:\/\/)?(?:(?:\*\.)?[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/,
    {
      error:
        'must be a lower-case host such as "api.example.com", "*.example.com" or "http://10.0.0.5:8080"',
      abort: true,
    },
  )
  .refine(isCanonicalHost, "must be written in its plain form, with a port up to 65535");

/** Whether it is the form that requests come in: `127.1` or a port of 99999 would never match any. */
function isCanonicalHost(entry: string): boolean {
  const authority = entry.replace("http://", "").replace("*.", "any.");
  const [, name, port] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  const address = `http://${authority}/`;
  return port !== "0" && URL.canParse(address) && new URL(address).hostname === name;
}

/** The name of a credential, and of the placeholder in `ctx.credentials`. */
export const credentialName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, "must be of A-Z, 0-9 and _");

const toolCredential = z
  .strictObject({
    name: credentialName,
    description: text(500).default(""),
    hosts: z.array(allowedHost).max(toolLimits.allowedHosts).default([]),
    expose: z.boolean().optional(),
  })
  .meta({ id: "ToolCredential" });

/** Bounds of a run that a tool sets itself, below the server's own. What is left out is the server's. */
const runLimits = z
  .strictObject({
    cpuMs: z.int().min(50).max(3_600_000).optional(),
    memoryMb: z.int().min(16).max(4_096).optional(),
    outputBytes: z
      .int()
      .min(1_024)
      .max(64 * 1024 * 1024)
      .optional(),
    logBytes: z
      .int()
      .min(0)
      .max(64 * 1024 * 1024)
      .optional(),
  })
  .meta({ id: "RunLimits", description: "Bounds of a run, at most those of the server." });

/** Fields of a tool that its author writes, all of them versioned. */
export const definitionShape = {
  title: line(toolLimits.title),
  description: text(toolLimits.description).min(1),
  inputSchema: jsonObject,
  outputSchema,
  fileFields: z.array(z.string().min(1).max(200)).max(50),
  source: toolSource,
  credentials: z.array(toolCredential).max(toolLimits.credentials),
  allowedHosts: z.array(allowedHost).max(toolLimits.allowedHosts),
  timeoutMs: z.int().min(toolLimits.timeoutMs.min).max(toolLimits.timeoutMs.max),
  limits: runLimits,
  isolation: z.enum(["reuse", "fresh"]),
  idempotent: z.boolean().meta({
    description:
      "Running it twice does no more than running it once, so a run whose process died is taken again.",
  }),
  confirm: z.boolean().meta({
    description:
      "Running it has effects that cannot be taken back, so a chat asks the person before it runs.",
  }),
  visibility: z.enum(["private", "workspace", "public"]),
  examples: z
    .array(z.strictObject({ input: jsonObject, output: jsonObject.optional() }))
    .max(toolLimits.examples),
};

/** Body of `POST /tools`: what a tool needs, and defaults for the rest. */
export const createToolInput = z
  .strictObject({
    ...definitionShape,
    outputSchema: outputSchema.default({ properties: [] }),
    fileFields: definitionShape.fileFields.default([]),
    credentials: definitionShape.credentials.default([]),
    allowedHosts: definitionShape.allowedHosts.default([]),
    timeoutMs: definitionShape.timeoutMs.default(toolLimits.timeoutMs.default),
    limits: definitionShape.limits.default({}),
    isolation: definitionShape.isolation.default("reuse"),
    idempotent: definitionShape.idempotent.default(false),
    confirm: definitionShape.confirm.default(false),
    visibility: definitionShape.visibility.default("workspace"),
    examples: definitionShape.examples.default([]),
  })
  .meta({ id: "CreateToolInput", description: "A tool as its author writes it." });
export type CreateToolInput = z.infer<typeof createToolInput>;
export type RawCreateToolInput = z.input<typeof createToolInput>;

/** Body of `PATCH /tools/:name`: any of the author's fields; what is left out stays. */
export const updateToolInput = z
  .strictObject(definitionShape)
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "name at least one field to change")
  .meta({ id: "UpdateToolInput", description: "The fields of a tool to change." });
export type UpdateToolInput = z.infer<typeof updateToolInput>;

/** A tool as lists and searches show it. The first five fields are the specification's. */
export const tool = z
  .object({
    name: z.string(),
    description: z.string(),
    inputSchema: jsonObject,
    outputSchema,
    fileFields: z.array(z.string()),
    title: z.string(),
    version: z.int(),
    visibility: definitionShape.visibility,
    confirm: definitionShape.confirm,
    credentials: z.array(toolCredential),
    toolUrl: z.url(),
    updatedAt: z.iso.datetime(),
    installed: z.boolean().optional().meta({
      description:
        "Of a public tool of another workspace: whether this workspace has installed it.",
    }),
    update: z.object({ version: z.int() }).optional().meta({
      description:
        "Of an installed tool: a newer version that this workspace has not accepted yet.",
    }),
    mine: z
      .boolean()
      .optional()
      .meta({ description: "In lists, and of one tool: true for what you made." }),
    allowedHosts: z.array(z.string()).optional().meta({
      description: "In the catalog, and of one tool: all hosts that it may reach.",
    }),
    publisher: z
      .object({
        author: z.string().meta({ description: "Empty when the account is deleted." }),
        workspace: z.string(),
      })
      .optional()
      .meta({ description: "In the catalog: who made the tool, and in which workspace." }),
  })
  .meta({ id: "Tool", description: "A tool that the caller may run." });
export type Tool = z.infer<typeof tool>;

/** Kinds of tools that a list can be narrowed to: made by the caller, by others of the workspace, or by other workspaces. */
export const toolOrigins = ["mine", "shared", "installed"] as const;
export type ToolOrigin = (typeof toolOrigins)[number];

/** A tool with all that its author wrote: the answer of the authoring routes. */
export const toolDetail = tool
  .extend({
    source: toolSource
      .optional()
      .meta({ description: "Left out of a tool that is installed from another workspace." }),
    allowedHosts: definitionShape.allowedHosts,
    timeoutMs: z.int(),
    limits: definitionShape.limits,
    isolation: definitionShape.isolation,
    idempotent: definitionShape.idempotent,
    examples: definitionShape.examples,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "ToolDetail", description: "A tool with its source and settings." });
export type ToolDetail = z.infer<typeof toolDetail>;
