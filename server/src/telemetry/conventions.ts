import type { SpanStart, SpanUpdate } from "./tracing.ts";

// Every name of a span and of an attribute. They follow the OpenTelemetry semantic conventions 1.44.0
// (https://opentelemetry.io/docs/specs/semconv/), and for tools and MCP the conventions for generative AI, which are in
// development (https://github.com/open-telemetry/semantic-conventions-genai). Attributes of our own begin with `toolhost.`.
//
// Inputs, outputs, headers, messages of errors, and other texts of users or tools are never attributes, even where a
// convention recommends them.

/** The version of the conventions, as a span's schema URL. */
export const schemaUrl = "https://opentelemetry.io/schemas/1.44.0";

const errorType = "error.type";

/** The attributes of the process (Resource semantic conventions, "Service" and "Telemetry SDK"). */
export function processResource(service: { name: string; instanceId: string }) {
  return {
    "service.name": service.name,
    "service.instance.id": service.instanceId,
    "telemetry.sdk.language": "nodejs",
    "telemetry.sdk.name": "toolhost",
  };
}

/** The error type as an attribute (General conventions, "Recording errors"). The description of the status stays empty. */
export function errorAttributes(type: string) {
  return { [errorType]: type };
}

/** A failed operation, by the class of its error; the message may contain anything. */
export function failure(error: unknown): SpanUpdate {
  return { errorType: errorTypeOf(error) };
}

const codePattern = /^[\w.-]{1,64}$/;

function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return "_OTHER";
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return codePattern.test(code) ? code : "_OTHER";
}

const knownMethods = new Set(
  "GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH QUERY".split(" "),
);

function methodAttribute(method: string): string {
  return knownMethods.has(method) ? method : "_OTHER";
}

function methodName(method: string): string {
  return knownMethods.has(method) ? method : "HTTP";
}

/**
 * A request to the service (HTTP spans, "HTTP server span"). Without `url.path` and `url.query`, which may contain tokens; the
 * route is known at the end.
 */
export function httpRequest(request: {
  method: string;
  scheme: string;
  requestId: string;
}): SpanStart {
  return {
    name: methodName(request.method),
    kind: "server",
    attributes: {
      "http.request.method": methodAttribute(request.method),
      "url.scheme": request.scheme,
      "toolhost.request.id": request.requestId,
    },
  };
}

/** The response of the service: only statuses from 500 are errors (HTTP spans, "Name" and "Status"). */
export function httpResponse(response: {
  method: string;
  route: string | undefined;
  status: number;
}): SpanUpdate {
  const { method, route, status } = response;
  return {
    ...(route === undefined ? {} : { name: `${methodName(method)} ${route}` }),
    attributes: { "http.route": route, "http.response.status_code": status },
    errorType: status >= 500 ? String(status) : undefined,
  };
}

/**
 * A request of an MCP client (Model Context Protocol, "Server"). `tool` only if it is one of the agent tools, which are few.
 * Without `jsonrpc.request.id` and `mcp.resource.uri`, which the client chooses.
 */
export function mcpRequest(request: { method: string; tool: string | undefined }): SpanStart {
  const { method, tool } = request;
  return {
    name: tool === undefined ? method : `${method} ${tool}`,
    kind: "server",
    attributes: {
      "mcp.method.name": method,
      "gen_ai.operation.name": method === "tools/call" ? "execute_tool" : undefined,
      "gen_ai.tool.name": tool,
    },
  };
}

/** The JSON-RPC error code of an MCP response, or `tool_error` for a result that is one. */
export function mcpError(error: { code: number } | "tool_error"): SpanUpdate {
  if (error === "tool_error") return { errorType: error };
  const code = String(error.code);
  return { attributes: { "rpc.response.status_code": code }, errorType: code };
}

/** A run, from the start of its execution or of its wait in the queue (Generative AI tool execution, "execute_tool"). */
export function executeTool(run: {
  id: string;
  workspace_id: string;
  tool_name: string;
  tool_version: number;
  via: string;
  attempt: number;
}): SpanStart {
  return {
    name: `execute_tool ${run.tool_name}`,
    kind: "internal",
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": run.tool_name,
      "gen_ai.tool.call.id": run.id,
      "toolhost.tool.version": run.tool_version,
      "toolhost.workspace.id": run.workspace_id,
      "toolhost.run.via": run.via,
      "toolhost.run.attempt": run.attempt,
    },
  };
}

/** The end of a run. Its error is JSON with a code, which is the error type. */
export function runEnd(run: { status: string; error: string | null }): SpanUpdate {
  const { status, error } = run;
  const code = error === null ? undefined : (JSON.parse(error) as { code: string }).code;
  return {
    attributes: { "toolhost.run.status": status },
    errorType: status === "failed" ? (code ?? "_OTHER") : undefined,
  };
}

/** The time that a run was queued. */
export function queueWait(): SpanStart {
  return { name: "queue", kind: "internal" };
}

/** The time until a sandbox process is leased. */
export function sandboxLease(): SpanStart {
  return { name: "sandbox lease", kind: "internal" };
}

/** The execution of a tool's code in the sandbox. */
export function sandboxExecute(): SpanStart {
  return { name: "sandbox execute", kind: "internal" };
}

/** How the execution went. A tool that failed is the run's error, not the sandbox's. */
export function sandboxUsage(result: { cpuMs: number; reused: boolean }): SpanUpdate {
  return {
    attributes: {
      "toolhost.sandbox.cpu_ms": Math.round(result.cpuMs),
      "toolhost.sandbox.reused": result.reused,
    },
  };
}

/** A tool's request to a host (HTTP spans, "HTTP client span"). Without `url.full`: path and query belong to the tool. */
export function egressRequest(request: { method: string; host: string; port: number }): SpanStart {
  const { method, host, port } = request;
  return {
    name: methodName(method),
    kind: "client",
    attributes: {
      "http.request.method": methodAttribute(method),
      "server.address": host,
      "server.port": port,
    },
  };
}

/** The response of a host, of which statuses from 400 are errors, or why there was none. */
export function egressResponse(result: {
  status: number | undefined;
  error: string | undefined;
}): SpanUpdate {
  const { status, error } = result;
  const failed = status !== undefined && status >= 400 ? String(status) : undefined;
  return { attributes: { "http.response.status_code": status }, errorType: error ?? failed };
}

/** A database statement or transaction (Database client spans, "Name"). `summary` has operations and tables only. */
export function databaseStatement(statement: {
  system: string;
  summary: string;
  count: number;
}): SpanStart {
  const { system, summary, count } = statement;
  return {
    name: summary,
    kind: "client",
    attributes: {
      "db.system.name": system,
      "db.query.summary": summary,
      "db.operation.batch.size": count > 1 ? count : undefined,
    },
  };
}

/** A message, answer or other event of a chat (Messaging spans, "Process span"). */
export function chatJob(job: { id: string; workspace_id: string; attempt: number }): SpanStart {
  return {
    name: "process chat_inbox",
    kind: "consumer",
    attributes: {
      "messaging.system": "toolhost",
      "messaging.operation.name": "process",
      "messaging.operation.type": "process",
      "messaging.destination.name": "chat_inbox",
      "messaging.message.id": job.id,
      "toolhost.workspace.id": job.workspace_id,
      "toolhost.chat.attempt": job.attempt,
    },
  };
}
