import { z } from "zod";
import { missingCredential } from "./approval.ts";

/** All error codes of the API, with their HTTP status and title. Every interface uses this table. */
export const errorCodes = {
  invalid_request: { status: 400, title: "Invalid request" },
  invalid_input: { status: 400, title: "Invalid tool input" },
  invalid_tool: { status: 400, title: "Invalid tool" },
  idempotency_key_missing: { status: 400, title: "Idempotency-Key header missing" },
  idempotency_key_invalid: { status: 400, title: "Invalid Idempotency-Key header" },
  unauthenticated: { status: 401, title: "Authentication required" },
  insufficient_scope: { status: 403, title: "Insufficient scope" },
  forbidden: { status: 403, title: "Permission denied" },
  tool_not_found: { status: 404, title: "Tool not found" },
  run_not_found: { status: 404, title: "Run not found" },
  file_not_found: { status: 404, title: "File not found" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  not_acceptable: { status: 406, title: "Not acceptable" },
  precondition_failed: { status: 412, title: "Precondition failed" },
  payload_too_large: { status: 413, title: "Request body too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  range_not_satisfiable: { status: 416, title: "Range not satisfiable" },
  credential_name_taken: { status: 409, title: "Credential name already in use" },
  already_member: { status: 409, title: "Already a member" },
  last_owner: { status: 409, title: "Last owner of the workspace" },
  chat_team_taken: { status: 409, title: "Chat connected to another workspace" },
  idempotency_in_flight: { status: 409, title: "Original request still in progress" },
  run_not_cancellable: { status: 409, title: "Run already ended" },
  tool_in_use: { status: 409, title: "Tool in use" },
  version_not_live: { status: 409, title: "Version no longer live" },
  draft_changed: { status: 409, title: "Draft modified elsewhere" },
  draft_limit: { status: 409, title: "Too many drafts" },
  connection_failed: { status: 422, title: "Connection failed" },
  credentials_missing: { status: 422, title: "Credentials missing" },
  idempotency_key_reused: {
    status: 422,
    title: "Idempotency-Key reused for another request",
  },
  rate_limited: { status: 429, title: "Rate limit exceeded" },
  quota_exceeded: { status: 429, title: "Quota exceeded" },
  internal: { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "Service unavailable" },
} as const;

/** A stable error code. */
export type ErrorCode = keyof typeof errorCodes;

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
    missing: z.array(missingCredential).optional().meta({
      description: "Only for `credentials_missing`: the unavailable credentials.",
    }),
  })
  .meta({ id: "Problem", description: "An error as RFC 9457 problem details." });
export type Problem = z.infer<typeof problem>;

/** Error codes of failed runs. */
export const runErrorCodes = [
  "tool_error",
  "invalid_output",
  "timeout",
  "cpu_limit",
  "memory_limit",
  "output_too_large",
  "egress_denied",
  "interrupted",
  "sandbox_lost",
] as const;
export type RunErrorCode = (typeof runErrorCodes)[number];
