import { laterPromises } from "./later-requirements.ts";

/** What is promised and built, by where it is promised. Every one has a test that names its id. */
const promises = {
  "spec: what the service does": {
    "tools.new_usable_at_once": "A newly created tool can be found and run by the very next call.",
    "tools.list_owned_and_shared": "Listing returns the tools that the caller may access.",
  },
  "spec: resources and their fields": {
    "tool.fields": "A tool has name, description, inputSchema, outputSchema and fileFields.",
    "tool.output_schema": "outputSchema.properties is an array of name, type and description.",
    "run.completed": "A finished run answers completed with output, runId and toolUrl.",
    "run.running": "A run still at work answers running with runId and toolUrl.",
    "keys.scopes": "A key carries one or more scopes, and several keys may have different ones.",
    "keys.revoked_alone": "Each key may be revoked on its own.",
    "skill.markdown": "GET /skill/:toolName is markdown on purpose, inputs, outputs and usage.",
    "skill.json": "With format=json it is a structured answer with metadata.",
  },
  "spec: states": {
    "idempotency.in_flight": "The same key and body while the handler works is 409.",
    "idempotency.replay": "The same key and body afterwards replays the answer, marked as replay.",
    "idempotency.other_body": "The same key with another body is 422.",
    "idempotency.expiry": "After 24 hours a key counts as new.",
    "idempotency.namespace": "Two keys have separate namespaces, even in one workspace.",
  },
  "spec: endpoints": {
    "auth.bearer": "All requests need Authorization: Bearer <API_KEY>.",
    "idempotency.required": "Write methods need an Idempotency-Key.",
    "idempotency.uuid_v4": "The Idempotency-Key must be a UUID v4, else 400.",
    "idempotency.reads_need_none": "GET, HEAD and OPTIONS need no Idempotency-Key.",
    "idempotency.runs_once": "A write with a new valid key runs the handler once.",
    "scopes.read": "mcp:read lists tools, shows schemas and documentation.",
    "scopes.execute": "mcp:execute runs tools.",
    "versioning.path": "The REST API is version 1, carried in the path prefix /v1.",
  },
  "spec: events and limits": {
    rate_limit: "Too many requests are answered 429.",
  },
  "contract 1: starting it": {
    "start.address": "When ready, the service prints its address.",
    "start.account_printed": "A first start prints the owner, the password and one API key, once.",
    "start.curl_line": "It prints a curl line that runs a tool as pasted.",
    "start.first_run_file": "first-run.json has mode 0600 and exactly the five fields.",
    "start.first_key_scopes": "The first key carries mcp:read and mcp:execute.",
    "start.local_workspace": "The owner is owner@localhost in the workspace Local.",
    "start.starter_tools": "The starter tools are there, and do what their examples say.",
    "start.encryption_key": "The encryption key is made once in DATA_DIR, mode 0600.",
    "start.kept": "Another start on the same data keeps everything and seeds nothing.",
    "start.one_process_a_folder": "Two processes never work on one DATA_DIR.",
    "start.wrong_setting": "A wrong setting stops the start with one clear line.",
    "start.postgres_first_owner": "With DATABASE_URL nothing is seeded; the first sign-up owns it.",
    "start.nodes": "Several nodes may share one PostgreSQL database and act as one service.",
    "start.move_to_postgres": "An embedded database moves to PostgreSQL whole or not at all.",
    "start.cut_short": "A first start that is cut short leaves nothing in the way of the next.",
    "health.live": "GET /healthz is 200 while the process lives.",
    "health.ready": "GET /readyz is 200 when database and sandbox answer.",
    "health.not_ready": "GET /readyz is 503 naming what does not answer.",
    "health.recovers": "When the database is back, the service works again by itself.",
    "health.metrics": "GET /metrics is Prometheus text.",
    "stop.grace": "SIGTERM lets runs under way finish within SHUTDOWN_GRACE_MS.",
    "stop.interrupts": "Runs that do not finish in that time end failed, interrupted.",
    "stop.refuses": "While it stops, it refuses with 503 and Retry-After, and loses nothing.",
    "stop.exit_code": "A service that was told to stop exits with 0.",
    "stop.no_orphans": "No sandbox process outlives the service, however it ends.",
  },
  "contract 2: errors": {
    "error.problem_document": "Every refusal is an RFC 9457 problem document with a stable code.",
    "error.request_id": "X-Request-Id is on every answer and in every problem document.",
    "error.no_internals": "No input makes the service answer 500, and no refusal shows internals.",
    "error.invalid_request": "400 invalid_request",
    "error.invalid_input": "400 invalid_input with every error and its JSON pointer.",
    "error.invalid_tool": "400 invalid_tool with file, line and column.",
    "error.idempotency_key_missing": "400 idempotency_key_missing",
    "error.idempotency_key_invalid": "400 idempotency_key_invalid",
    "error.unauthenticated": "401 unauthenticated with WWW-Authenticate: Bearer.",
    "error.insufficient_scope": "403 insufficient_scope",
    "error.forbidden": "403 forbidden",
    "error.tool_not_found": "404 tool_not_found",
    "error.run_not_found": "404 run_not_found",
    "error.not_found": "404 not_found",
    "error.method_not_allowed": "405 method_not_allowed with Allow.",
    "error.not_acceptable": "406 not_acceptable",
    "error.payload_too_large": "413 payload_too_large, with or without a Content-Length.",
    "error.unsupported_media_type": "415 unsupported_media_type",
    "error.run_not_cancellable": "409 run_not_cancellable",
    "error.credentials_missing": "422 credentials_missing with name and connectUrl of each.",
    "error.rate_limited": "429 rate_limited with Retry-After, RateLimit and RateLimit-Policy.",
    "error.quota_exceeded": "429 quota_exceeded with the same headers.",
    "error.unavailable": "503 unavailable with Retry-After.",
    "error.idempotency_in_flight": "409 idempotency_in_flight with Retry-After.",
    "error.idempotency_key_reused": "422 idempotency_key_reused",
  },
  "contract 3: REST": {
    "auth.session": "The console uses the same routes with its session cookie.",
    "auth.origin": "A page of another origin may not use the session.",
    "auth.workspace_header": "X-Workspace-Id names the session's workspace.",
    "auth.session_only": "Keys are managed by a signed-in person and not by a key.",
    "list.limit": "Lists take a limit of 50 unless told otherwise, at most 200.",
    "list.cursor": "Lists go on at the Link header's cursor, without gap or repeat.",
    "tools.filter": "GET /tools filters by q.",
    "tools.name_form": "Names are the title in snake_case and four of [a-z0-9], at most 64 long.",
    "tools.name_not_reused": "A name is never used again.",
    "tools.archive": "DELETE archives: the tool is gone, the records of its runs stay.",
    "tools.versions": "Every save is an immutable version, and each can be restored.",
    "run.failed": "A failed run is HTTP 200 with error.code and error.message.",
    "run.cancelled": "A cancelled run ends as cancelled.",
    "run.queued": "A run that waits for a place is running with queued true.",
    "run.record": "GET /runs/:runId adds tool, version, times, progress, input and via.",
    "run.list": "GET /runs lists runs, newest first, filtered by tool and status.",
    "run.logs": "GET /runs/:runId/logs answers levels, times and messages.",
    "run.terminal": "Every accepted run reaches an end, whatever dies.",
    "run.never_twice": "No run runs twice, whatever dies.",
    "idempotency.crash": "If the process dies in flight, the key answers with the run it began.",
    "limits.headers": "Answers to a known caller carry RateLimit and RateLimit-Policy.",
    "limits.nodes": "Nodes on one database share one limit exactly.",
    "limits.quota_kept": "A quota is kept over restarts and crashes.",
    "run.wait_default": "POST /run answers running after RUN_WAIT_MS.",
    "run.prefer": "Prefer chooses the wait, and Preference-Applied says what was honoured.",
    "run.own_concurrency": "A workspace runs a number of tools at once and queues the others.",
    "run_error.tool_error": "A tool that throws fails with tool_error and the author's stack.",
    "run_error.invalid_output": "Output that is not as declared fails with invalid_output.",
    "run_error.timeout": "A run over its wall time fails with timeout.",
    "run_error.cpu_limit": "A run over its CPU time fails with cpu_limit.",
    "run_error.memory_limit": "A run over its memory fails with memory_limit, whatever kind it is.",
    "run_error.output_too_large": "Output over its limit fails with output_too_large.",
    "run_error.egress_denied": "A request to a host that is not allowed fails with egress_denied.",
    "run_error.sandbox_lost": "A run whose sandbox is lost fails with sandbox_lost.",
    "limits.body": "A JSON body may have 1 MiB.",
    "limits.tool": "A tool may set limits of its own below the server's.",
    "limits.logs": "A run's log is kept up to its limit, and the run goes on.",
    "search.shape": "Search answers each query with tools and scores from 0 to 1.",
    "search.queries": "q may be repeated up to ten times; without it all tools are listed.",
    "search.limit": "Search gives 5 matches unless told otherwise, at most 50.",
    "keys.create": "POST /api-keys answers the key's value, which is shown nowhere else.",
    "keys.expire": "An expired key is refused.",
    "audit.list": "GET /audit-events is newest first and filtered.",
    me: "GET /me says who the caller is.",
    "openapi.valid": "GET /openapi.json is a valid OpenAPI 3.1 document.",
    "openapi.complete": "Every documented operation is there.",
    "run.logs_sse": "Logs are a stream of log, progress and end with Accept: text/event-stream.",
    "idempotency.fingerprint": "The fingerprint is method, path and canonical JSON of the body.",
    "idempotency.not_kept": "An answer of 400, 401, 403, 413, 415 or 429 before it is not kept.",
  },
  "contract 5: tools": {
    "tool.schema_2020_12": "The input schema is JSON Schema 2020-12 of type object.",
    "tool.languages": "A tool is written in TypeScript or JavaScript.",
    "tool.dependencies": "A tool may use packages from npm.",
    "tool.confined_build": "A build reads no file of the server.",
    "tool.broken_save": "A save that does not build leaves the version before it live.",
    "tool.context": "The tool is given its input and ctx with runId, signal and progress.",
    "tool.no_host": "A tool sees no file system, no environment, no process and no network.",
    "tool.isolation": "With isolation fresh, nothing of one run is seen by the next.",
    "tool.version_isolation": "Globals of one tool or version are not seen by another.",
    "tool.fair": "Tools that misbehave do not harm the runs beside them.",
  },
  "contract 7: audit": {
    "audit.every_run": "Every run is one event.",
    "audit.every_change": "Every change of a tool or key is one event.",
    "audit.fields": "An event says who did what to what, from where and how it ended.",
    "audit.verifier": "A command checks the chain and names the first broken link.",
    "audit.sealed": "Within seconds an event has its number and hash in the chain.",
  },
} as const;

type Now = typeof promises;
/** The id of a promise that is kept already, and so can be proven. */
export type RequirementId = { [S in keyof Now]: keyof Now[S] & string }[keyof Now];

export type Requirement = {
  id: string;
  text: string;
  /** Where it is promised. */
  section: string;
  /** Promised, and not built yet. */
  later: boolean;
};

/** The promises of the specification and the contract as data. */
export const requirements: readonly Requirement[] = [
  ...flatten(promises, false),
  ...flatten(laterPromises, true),
];

function flatten(
  sections: Readonly<Record<string, Readonly<Record<string, string>>>>,
  later: boolean,
): Requirement[] {
  return Object.entries(sections).flatMap(([section, texts]) =>
    Object.entries(texts).map(([id, text]) => ({ id, text, section, later })),
  );
}
