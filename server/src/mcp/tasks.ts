import type { JsonObject, Run } from "@toolhost/contract";
import { requireScope } from "#core/identity";
import { ServiceError } from "#core/kernel";
import { cancelRun, getRun } from "#core/runs";
import type { Context } from "#core/context";
import { isJsonObject } from "#lib/json-object";
import { quote } from "#lib/quote";
import { callTool } from "./call-tool.ts";
import { objectAt } from "./message.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";
import type { McpRequest, Method } from "./surface.ts";

/** The extension in which a modern client receives a handle for a long call and polls for the result. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

const checkRun = "service_check_run";
const pollIntervalMs = 3_000;
const dayMs = 86_400_000;

/** `tools/call`, with a task as the result for a run that is still running, if the client supports tasks. */
export const callToolOrTask: Method = async (request) => {
  const result = await callTool(request);
  const runId = supportsTasks(request.capabilities) ? pendingRunId(request, result) : undefined;
  if (runId === undefined) return result;
  // A task is only a view of the run, so nothing is stored.
  const run = await getRun(request.context, request.caller, runId);
  return { resultType: "task", ...describe(request.context, run), status: "working" };
};

/** `tasks/get` */
export async function getTask(request: McpRequest): Promise<JsonObject> {
  const { context, caller } = request;
  requireScope(caller, "mcp:read");
  const run = await findRun(request);
  const task = describe(context, run);
  if (run.status === "running") return task;
  if (run.status === "cancelled") return { ...task, statusMessage: "The run was cancelled." };
  // A failed run is a completed task whose result has isError; only protocol errors fail a task.
  const params = { name: checkRun, arguments: { run_id: run.runId, wait_seconds: 0 } };
  const result = await callTool({ ...request, params });
  return { ...task, result };
}

/** `tasks/cancel`: cancels the run. Has no effect on a finished run. */
export async function cancelTask(request: McpRequest): Promise<JsonObject> {
  const { context, caller } = request;
  requireScope(caller, "mcp:execute");
  const { runId } = await findRun(request);
  try {
    await cancelRun(context, caller, runId);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "run_not_cancellable") throw error;
  }
  return {};
}

/** `tasks/update`: has no effect, because runs never request input from the client. */
export async function updateTask(request: McpRequest): Promise<JsonObject> {
  requireScope(request.caller, "mcp:execute");
  await findRun(request);
  return {};
}

/** Throws `RpcError` if the client does not support tasks. */
export function requireTasks(capabilities: JsonObject): void {
  if (supportsTasks(capabilities)) return;
  throw new RpcError(rpcCodes.missingCapability, "Missing required client capability", {
    data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    httpStatus: 400,
  });
}

async function findRun(request: McpRequest): Promise<Run> {
  requireTasks(request.capabilities);
  const { taskId } = request.params;
  const id = typeof taskId === "string" ? taskId : "";
  try {
    return await getRun(request.context, request.caller, id);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "run_not_found") throw error;
    throw new RpcError(
      rpcCodes.invalidParams,
      `No task with ID ${quote(id)} exists, or you don't have access to it.`,
    );
  }
}

const statuses = { running: "working", failed: "completed" } as const;

function describe({ config }: Context, run: Run): JsonObject {
  const { runId, status, createdAt, startedAt, finishedAt, progress } = run;
  const message = progress?.message;
  return {
    taskId: runId,
    status: status === "running" || status === "failed" ? statuses[status] : status,
    ...(message === undefined ? {} : { statusMessage: message }),
    createdAt,
    lastUpdatedAt: finishedAt ?? startedAt ?? createdAt,
    ttlMs: config.RUN_RETENTION_DAYS === 0 ? null : config.RUN_RETENTION_DAYS * dayMs,
    pollIntervalMs,
  };
}

/** Only modern requests declare capabilities. */
function supportsTasks(capabilities: JsonObject): boolean {
  return isJsonObject(objectAt(capabilities, "extensions")[tasksExtension]);
}

/** Not for `service_check_run`, whose callers need the current state of the run. */
function pendingRunId({ params }: McpRequest, result: JsonObject): string | undefined {
  const { status, runId } = objectAt(result, "structuredContent");
  const isPending = status === "running" && params["name"] !== checkRun;
  return isPending && typeof runId === "string" ? runId : undefined;
}
