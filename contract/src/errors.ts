/**
 * All error codes of the API, with their HTTP status and title, and for the documentation what they mean and what to do. Every
 * interface uses this table.
 */
export const errorCodes = {
  invalid_request: {
    status: 400,
    title: "Invalid request",
    meaning:
      "A parameter, header or field of the request is missing, unknown or malformed. Correct what `detail` and `errors` name.",
  },
  invalid_input: {
    status: 400,
    title: "Invalid tool input",
    meaning:
      "The input does not match the tool's input schema. `errors` names each field; the schema is in the tool's documentation.",
  },
  invalid_tool: {
    status: 400,
    title: "Invalid tool",
    meaning:
      "The tool cannot be saved: its schemas, code, packages or other declarations are wrong. Correct what `errors` names.",
  },
  idempotency_key_missing: {
    status: 400,
    title: "Idempotency-Key header missing",
    meaning: "A write needs the header `Idempotency-Key`. Send a new UUID of version 4.",
  },
  idempotency_key_invalid: {
    status: 400,
    title: "Invalid Idempotency-Key header",
    meaning:
      "The `Idempotency-Key` is not a UUID of version 4. Create one with `uuidgen` or `crypto.randomUUID()`.",
  },
  unauthenticated: {
    status: 401,
    title: "Authentication required",
    meaning:
      "The API key, token or session is missing, unknown, expired or revoked. Sign in again, or create a key.",
  },
  insufficient_scope: {
    status: 403,
    title: "Insufficient scope",
    meaning:
      "The key or token lacks the scope in `requiredScope`. Create a key with that scope, or authorize the app again.",
  },
  forbidden: {
    status: 403,
    title: "Permission denied",
    meaning:
      "Your role does not allow this, or the route needs a session instead of a key. Ask an admin or owner of the workspace.",
  },
  tool_not_found: {
    status: 404,
    title: "Tool not found",
    meaning:
      "No tool of this workspace has this name, it is archived, or it is another user's private tool. Find its name with `GET /tools`.",
  },
  run_not_found: {
    status: 404,
    title: "Run not found",
    meaning:
      "No run of this workspace has this ID, its retention has ended, or you cannot see it. Check the ID and the workspace.",
  },
  file_not_found: {
    status: 404,
    title: "File not found",
    meaning:
      "The file or link does not exist, has expired, or belongs to another workspace. Upload the file again, or request a new link.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    meaning:
      "Nothing exists at this path or with this ID, or you cannot see it. Check the path, the ID and the workspace.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    meaning:
      "The path does not support this method. The header `Allow` lists those that it supports.",
  },
  not_acceptable: {
    status: 406,
    title: "Not acceptable",
    meaning: "The route does not have the media type in `Accept`. Use one that `detail` lists.",
  },
  precondition_failed: {
    status: 412,
    title: "Precondition failed",
    meaning:
      "The tool was changed after you read it, so `If-Match` does not match. Read it again, then repeat your change.",
  },
  payload_too_large: {
    status: 413,
    title: "Request body too large",
    meaning:
      "The body, input or file is larger than its limit. Send less, or upload a file and pass its ID.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    meaning:
      "The route does not accept this `Content-Type`, or the body is compressed. `detail` names what to send.",
  },
  range_not_satisfiable: {
    status: 416,
    title: "Range not satisfiable",
    meaning: "The `Range` is outside of the file. `detail` has the file's size.",
  },
  credential_name_taken: {
    status: 409,
    title: "Credential name already in use",
    meaning:
      "A credential of this owner has this name. Update or delete it, or choose another name.",
  },
  already_member: {
    status: 409,
    title: "Already a member",
    meaning: "The invited user is already a member. Change their role instead.",
  },
  last_owner: {
    status: 409,
    title: "Last owner of the workspace",
    meaning:
      "A workspace must keep an owner. Make another member an owner first, or delete the workspace.",
  },
  chat_team_taken: {
    status: 409,
    title: "Chat connected to another workspace",
    meaning: "Another workspace has connected this chat team. Disconnect it there first.",
  },
  idempotency_in_flight: {
    status: 409,
    title: "Original request still in progress",
    meaning:
      "The first request with this key is still in progress. Retry with the same key to get its response.",
  },
  run_not_cancellable: {
    status: 409,
    title: "Run already ended",
    meaning: "The run has already ended. Read its result.",
  },
  question_closed: {
    status: 409,
    title: "Question closed",
    meaning:
      "The question was answered, has expired, or its run has ended. Read the run for its state and a newer question.",
  },
  tool_in_use: {
    status: 409,
    title: "Tool in use",
    meaning: "Runs of this tool are queued or running. Cancel them, or retry when they have ended.",
  },
  version_not_live: {
    status: 409,
    title: "Version no longer live",
    meaning:
      "Another version was published after you read the tool. Review `version`, then retry with it.",
  },
  already_imported: {
    status: 409,
    title: "Already imported",
    meaning:
      "The item of the import that the draft was made from has the tool `toolName`, or the document has the import `importId`. Change that tool or use that import, or send `allowDuplicate`.",
  },
  document_mismatch: {
    status: 409,
    title: "Document of another API",
    meaning:
      "The uploaded document has another title and lacks most operations of the import. Create a new import, or send `allowMismatch` to replace the document.",
  },
  draft_changed: {
    status: 409,
    title: "Draft modified elsewhere",
    meaning:
      "The draft was saved elsewhere and is at `revision`. Load it, then repeat your change.",
  },
  draft_limit: {
    status: 409,
    title: "Too many drafts",
    meaning: "You have the maximum number of drafts. Publish or delete one.",
  },
  connection_failed: {
    status: 422,
    title: "Connection failed",
    meaning:
      "The provider refused the connection, or its data is incomplete. Check its settings, then connect again.",
  },
  credentials_missing: {
    status: 422,
    title: "Credentials missing",
    meaning:
      "The tool needs credentials that you do not have or have not approved. `missing` says what to add or approve, and where.",
  },
  definition_changed: {
    status: 422,
    title: "Definition changed",
    meaning:
      "The MCP server that the tool calls changed the tool's definition, or removed it, after it was approved. A member of the workspace must review the change at `reviewUrl`.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "Idempotency-Key reused for another request",
    meaning:
      "This key was sent with another request in the last 24 hours. Send a new key with each new request.",
  },
  rate_limited: {
    status: 429,
    title: "Rate limit exceeded",
    meaning: "Too many requests in a short time. Retry after the seconds in `Retry-After`.",
  },
  quota_exceeded: {
    status: 429,
    title: "Quota exceeded",
    meaning:
      "The workspace or user has reached the limit in `limit`. Delete what is no longer needed, wait, or ask the operator to raise it.",
  },
  internal: {
    status: 500,
    title: "Internal error",
    meaning:
      "An error of the service. Retry with the same `Idempotency-Key`; if it happens again, give the operator the `requestId`.",
  },
  unavailable: {
    status: 503,
    title: "Service unavailable",
    meaning:
      "The service or a part of it is overloaded, starting or stopping, or a conflicting write is in progress. Retry shortly with the same `Idempotency-Key`.",
  },
} as const;

/** A stable error code. */
export type ErrorCode = keyof typeof errorCodes;

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
