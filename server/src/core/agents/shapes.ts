import { runStatuses } from "@toolhost/contract";
import { z } from "zod";
import { anyObject } from "./broker-tool.ts";

/** Output schemas that broker tools share. */

const credentialState = z.object({
  name: z.string().meta({ description: "Credential" }),
  status: z.string().meta({ description: "connected, missing or expired" }),
});

export const toolShape = z.object({
  name: z.string().meta({ description: "Exact name to pass as tool_name" }),
  title: z.string().meta({ description: "Display name" }),
  description: z.string().meta({ description: "What the tool does" }),
  inputSchema: anyObject("JSON Schema of the arguments"),
  outputSchema: anyObject("{properties:[{name,type,description}]}").optional(),
  fileFields: z.array(
    z.string().meta({ description: "Input field that takes a fileId from service_upload" }),
  ),
  annotations: z
    .object({ destructiveHint: z.boolean() })
    .optional()
    .meta({ description: "Present when the user should confirm before it runs" }),
  credentials: z
    .array(credentialState)
    .optional()
    .meta({ description: "Credentials that the tool needs, and their status" }),
});

export const runShape = z.object({
  runId: z.string().meta({ description: "Run identifier" }),
  status: z.enum(runStatuses).meta({ description: "completed, running, failed or cancelled" }),
  toolName: z.string().meta({ description: "Tool that ran" }),
  output: anyObject("Present when completed; keys follow the tool's outputSchema").optional(),
  part: anyObject(
    "The requested part of the output: {path,offset,total,unit,value,nextOffset}",
  ).optional(),
  shortened: z
    .array(anyObject("{path,shown,total,unit}"))
    .optional()
    .meta({ description: "Parts of the output that are cut" }),
  toolUrl: z.string().meta({ description: "Page of the tool" }),
  progress: z
    .object({ fraction: z.number(), message: z.string().optional() })
    .optional()
    .meta({ description: "Progress that the running tool reports" }),
  question: anyObject("{id,message,schema}").optional(),
  pollAfterMs: z
    .int()
    .optional()
    .meta({ description: "Wait at least this long before service_check_run" }),
  recentRuns: z
    .array(anyObject("{runId,toolName,status,createdAt}"))
    .optional()
    .meta({ description: "Your runs, newest first" }),
  hint: z.string().optional().meta({ description: "What to do next" }),
});
