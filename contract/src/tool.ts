import { z } from "zod";
import { webAddress } from "./connection.ts";
import { example } from "./example.ts";
import { allowedHost, declaredHostOf } from "./host.ts";
import { jsonObject } from "./json-object.ts";
import { publishedFrom } from "./published-from.ts";

/** Limits of a tool's definition. Sizes are in characters unless stated otherwise. */
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

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    // PostgreSQL rejects NUL.
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be a single line without control characters");

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, "must not contain control characters");

/** Types of a property of a tool's output. `any` accepts every JSON value. */
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
        // Loose, so that an author's additional keywords, such as a unit, are preserved.
        z.looseObject({
          name: z.string().min(1).max(200),
          type: z.enum(outputTypes),
          description: text(2_000).default(""),
          /** Whether an output may omit the property. */
          optional: z.boolean().optional(),
          /** Whether an output may have another type than the declared one, which is then a description only. */
          lenient: z.boolean().optional(),
        }),
      )
      .max(toolLimits.outputProperties),
  })
  .meta({ id: "OutputSchema" });
export type OutputSchema = z.infer<typeof outputSchema>;

/** A valid npm package name, optionally scoped. */
export const packageName = z
  .string()
  .max(214)
  .regex(/^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/, "must be an npm package name");

/** A version or range from the registry. Never a URL, a path or an alias. */
export const packageVersion = z
  .string()
  .max(100)
  .regex(
    /^[\^~<>=]{0,2}\d+(?:\.(?:\d+|x|\*)){0,2}(?:[-+][0-9A-Za-z.-]+)?$/,
    'must be a version such as "4.6.7", or a range such as "^4.6.0"',
  );

/** npm packages by name, each with a version or range. */
export const toolDependencies = z
  .unknown()
  // Counted first, because reporting an issue for each of 80,000 entries takes long.
  .refine((value) => Object.keys(value ?? {}).length <= toolLimits.dependencies, {
    message: `must have at most ${toolLimits.dependencies} dependencies`,
    abort: true,
  })
  .pipe(z.record(packageName, packageVersion))
  .meta({
    type: "object",
    additionalProperties: { type: "string" },
    maxProperties: toolLimits.dependencies,
  });

export const toolSource = z
  .strictObject({
    language: z.enum(["typescript", "javascript"]),
    code: z.string().min(1).max(toolLimits.code),
    dependencies: toolDependencies.optional(),
  })
  .meta({ id: "ToolSource" });
export type ToolSource = z.infer<typeof toolSource>;

/** The name of a credential, and of the placeholder in `ctx.credentials`. */
export const credentialName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, "must start with A-Z and contain only A-Z, 0-9 and _");

const toolCredential = z
  .strictObject({
    name: credentialName,
    description: text(500).default(""),
    hosts: z.array(allowedHost).max(toolLimits.allowedHosts).default([]),
    expose: z.boolean().optional(),
    resource: webAddress.optional().meta({
      description:
        "The MCP server at which users sign in to get this credential, instead of entering a value. `hosts` must contain its host.",
    }),
  })
  .refine(
    ({ resource, hosts }) => resource === undefined || hosts.includes(declaredHostOf(resource)),
    {
      path: ["resource"],
      error: "must have its host in hosts",
    },
  )
  .meta({ id: "ToolCredential" });

/** Limits of a run that a tool sets below the server's. Omitted ones are the server's. */
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
  .meta({ id: "RunLimits", description: "Limits of a run. At most those of the server." });

export const toolTitle = line(toolLimits.title);

/** The versioned fields of a tool, which its author writes. */
export const definitionShape = {
  title: toolTitle,
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
      "Whether the tool is safe to run again. A run of an idempotent tool is restarted if its node dies.",
  }),
  confirm: z.boolean().meta({
    description:
      "Whether the tool has effects that cannot be undone. The chat bot asks for confirmation before running it.",
  }),
  visibility: z.enum(["private", "workspace", "public"]),
  examples: z.array(example).max(toolLimits.examples),
};

/** Body of `POST /tools`, with defaults for optional fields. */
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
  .meta({ id: "CreateToolInput", description: "The definition of a new tool." });
export type CreateToolInput = z.infer<typeof createToolInput>;
export type RawCreateToolInput = z.input<typeof createToolInput>;

/** Body of `PATCH /tools/:name`. Omitted fields stay unchanged. */
export const updateToolInput = z
  .strictObject(definitionShape)
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "must contain at least one field to change")
  .meta({ id: "UpdateToolInput", description: "The fields of a tool to change." });
export type UpdateToolInput = z.infer<typeof updateToolInput>;

/** A tool in lists and searches. The first five fields are from the specification. */
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
        "Only for public tools of other workspaces: whether this workspace has installed the tool.",
    }),
    update: z.object({ version: z.int() }).optional().meta({
      description:
        "Only for installed tools: a newer version that this workspace has not accepted yet.",
    }),
    isOnHold: z.boolean().optional().meta({
      description:
        "Runs are refused with `definition_changed` until a change of its import is reviewed. Omitted in search results.",
    }),
    mine: z
      .boolean()
      .optional()
      .meta({ description: "Whether you created the tool. Omitted in search results." }),
    allowedHosts: z.array(z.string()).optional().meta({
      description:
        "All hosts that the tool may connect to. Only in the catalog and for a single tool.",
    }),
    publishedFrom: publishedFrom.optional().meta({
      description:
        "Only for tools of this workspace that were published from Git. Omitted in search results.",
    }),
    publisher: z
      .object({
        author: z
          .string()
          .meta({ description: "Name of the author. Empty if the account is deleted." }),
        workspace: z.string(),
      })
      .optional()
      .meta({ description: "The author and workspace of the tool. Only in the catalog." }),
  })
  .meta({ id: "Tool", description: "A tool that the caller may run." });
export type Tool = z.infer<typeof tool>;

/** Filter for lists: tools of the caller, of other members of the workspace, or of other workspaces. */
export const toolOrigins = ["mine", "shared", "installed"] as const;
export type ToolOrigin = (typeof toolOrigins)[number];

/** A tool with its complete definition, in responses of the authoring routes. */
export const toolDetail = tool
  .extend({
    source: toolSource
      .optional()
      .meta({ description: "Omitted for tools that are installed from another workspace." }),
    allowedHosts: definitionShape.allowedHosts,
    timeoutMs: z.int(),
    limits: definitionShape.limits,
    isolation: definitionShape.isolation,
    idempotent: definitionShape.idempotent,
    examples: definitionShape.examples,
    warnings: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({
        description: "What makes the tool harder to use, such as inputs without a description.",
      }),
    hold: z.enum(["changed", "removed", "unchecked"]).optional().meta({
      description:
        "Why runs are refused with `definition_changed`, only in `GET /tools/{name}`: the MCP server that the tool calls changed its definition, no longer offers it, or could not be checked for a day.",
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "ToolDetail", description: "A tool with its source and settings." });
export type ToolDetail = z.infer<typeof toolDetail>;
