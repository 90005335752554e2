import { z } from "zod";
import { definitionShape, jsonObject, outputSchema, toolSource } from "./tool.ts";

/** One immutable saved version of a tool. */
export const toolVersion = z
  .object({
    version: z.int(),
    title: z.string(),
    description: z.string(),
    live: z.boolean(),
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
    restoredFrom: z.int().nullable(),
  })
  .meta({ id: "ToolVersion" });
export type ToolVersion = z.infer<typeof toolVersion>;

/** Answer of `GET /tools/:name/versions/:version`: all that its author wrote, and it never changes. */
export const toolVersionDetail = toolVersion
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
  })
  .meta({ id: "ToolVersionDetail", description: "One version of a tool with all that it says." });
export type ToolVersionDetail = z.infer<typeof toolVersionDetail>;
