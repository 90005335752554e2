import { z } from "zod";
import { missingCredential } from "./approval.ts";
import { errorCodes } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";

/** A problem in a request body. `path` is a JSON pointer (RFC 6901). */
export const errorDetail = z.object({
  path: z.string(),
  message: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
});
export type ErrorDetail = z.infer<typeof errorDetail>;

/** The body of every REST error response (RFC 9457, section 3). */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string(),
    errors: z.array(errorDetail).optional(),
    revision: z.int().optional().meta({
      description: "Only for `draft_changed`: the revision that the draft is at.",
    }),
    version: z.int().optional().meta({
      description:
        "Only for `version_not_live` and `precondition_failed`: the live version of the tool.",
    }),
    toolName: z.string().optional().meta({
      description: "Only for `already_imported`: the tool that the item already has.",
    }),
    runId: z.string().optional().meta({
      description: "Only for `idempotency_in_flight`: the run that the original request started.",
    }),
    requiredScope: z
      .string()
      .optional()
      .meta({ description: "Only for `insufficient_scope`: the scope to request." }),
    limit: z
      .object({ name: z.string(), max: z.number() })
      .optional()
      .meta({ description: "Only for `quota_exceeded`: the limit that was reached." }),
    reviewUrl: z.string().optional().meta({
      description: "Only for `definition_changed`: the page where the change is reviewed.",
    }),
    missing: z.array(missingCredential).optional().meta({
      description: "Only for `credentials_missing`: the unavailable credentials.",
    }),
  })
  .meta({ id: "Problem", description: "An error as RFC 9457 problem details." });
export type Problem = z.infer<typeof problem>;
