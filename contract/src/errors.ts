import { z } from "zod";
import { lackingCredential } from "./approval.ts";

/**
 * Every error code on the wire, with its HTTP status and title. The one table: doors look codes up
 * here and nowhere else.
 */
export const errorCodes = {
  invalid_request: { status: 400, title: "The request is not valid" },
  invalid_input: { status: 400, title: "The input does not match the tool's schema" },
  invalid_tool: { status: 400, title: "The tool cannot be built" },
  idempotency_key_missing: { status: 400, title: "The Idempotency-Key header is missing" },
  idempotency_key_invalid: { status: 400, title: "The Idempotency-Key header is not a UUID v4" },
  unauthenticated: { status: 401, title: "Authentication is required" },
  insufficient_scope: { status: 403, title: "The key does not carry the scope this needs" },
  forbidden: { status: 403, title: "You may not do this" },
  tool_not_found: { status: 404, title: "The tool does not exist" },
  run_not_found: { status: 404, title: "The run does not exist" },
  file_not_found: { status: 404, title: "The file does not exist" },
  not_found: { status: 404, title: "Nothing is here" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  not_acceptable: { status: 406, title: "The answer is not available in the asked form" },
  payload_too_large: { status: 413, title: "The request body is too large" },
  unsupported_media_type: { status: 415, title: "The request body is of an unsupported type" },
  range_not_satisfiable: { status: 416, title: "The file has no such range" },
  credential_name_taken: { status: 409, title: "A credential of this name exists" },
  already_member: { status: 409, title: "The person belongs to the workspace already" },
  last_owner: { status: 409, title: "A workspace keeps at least one owner" },
  chat_team_taken: { status: 409, title: "The team is connected to another workspace" },
  idempotency_in_flight: { status: 409, title: "The first request with this key is still working" },
  run_not_cancellable: { status: 409, title: "The run has already ended" },
  tool_in_use: { status: 409, title: "Runs of the tool are queued or under way" },
  version_not_live: { status: 409, title: "Another version of the tool is live" },
  draft_changed: { status: 409, title: "The draft was saved elsewhere meanwhile" },
  draft_limit: { status: 409, title: "You keep as many drafts as there may be" },
  connection_failed: { status: 422, title: "The provider gave no token" },
  credentials_missing: { status: 422, title: "The tool needs credentials that are missing" },
  idempotency_key_reused: {
    status: 422,
    title: "The Idempotency-Key was used for another request",
  },
  rate_limited: { status: 429, title: "Too many requests" },
  quota_exceeded: { status: 429, title: "The quota is used up" },
  internal: { status: 500, title: "The service failed" },
  unavailable: { status: 503, title: "The service cannot take this now" },
} as const;

/** A stable error code of the wire. */
export type ErrorCode = keyof typeof errorCodes;

/** One thing wrong with a request: `path` is a JSON pointer (RFC 6901) into the body. */
export const errorDetail = z.object({
  path: z.string(),
  message: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
});
export type ErrorDetail = z.infer<typeof errorDetail>;

/** The body of every non-2xx answer of REST (RFC 9457, section 3). */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string(),
    errors: z.array(errorDetail).optional(),
    missing: z.array(lackingCredential).optional().meta({
      description: "Of credentials_missing: what each credential lacks.",
    }),
  })
  .meta({ id: "Problem", description: "What went wrong, as RFC 9457 problem details." });
export type Problem = z.infer<typeof problem>;

/** Why a run failed. */
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
