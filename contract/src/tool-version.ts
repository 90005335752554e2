import { z } from "zod";
import { exampleResults } from "./example.ts";
import { jsonObject } from "./json-object.ts";
import { definitionShape, outputSchema, toolSource } from "./tool.ts";

/** An immutable version of a tool. */
export const toolVersion = z
  .object({
    version: z.int(),
    title: z.string(),
    description: z.string(),
    live: z.boolean(),
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
    restoredFrom: z.int().nullable(),
    examples: exampleResults
      .omit({ results: true, revision: true })
      .optional()
      .meta({ description: "How many of its examples passed when they were run last." }),
  })
  .meta({ id: "ToolVersion" });
export type ToolVersion = z.infer<typeof toolVersion>;

/** Response of `GET /tools/:name/versions/:version`: the complete, immutable definition. */
export const toolVersionDetail = toolVersion
  .omit({ examples: true })
  .extend({
    inputSchema: jsonObject,
    outputSchema,
    fileFields: definitionShape.fileFields,
    source: toolSource,
    credentials: definitionShape.credentials,
    allowedHosts: definitionShape.allowedHosts,
    timeoutMs: z.int(),
    limits: definitionShape.limits,
    isolation: definitionShape.isolation,
    idempotent: definitionShape.idempotent,
    confirm: definitionShape.confirm,
    examples: definitionShape.examples,
    exampleResults: z.array(exampleResults).meta({
      description: "Results of running its examples before it was published, newest first.",
    }),
  })
  .meta({
    id: "ToolVersionDetail",
    description: "A version of a tool with its complete definition.",
  });
export type ToolVersionDetail = z.infer<typeof toolVersionDetail>;
