import type { JsonObject, Run } from "@toolhost/contract";
import { requireScope } from "#core/identity";
import { ServiceError } from "#core/kernel";
import { cancelRun, getRun } from "#core/runs";
import type { Context } from "#core/context";
import { isJsonObject } from "#lib/json-object";
import { callTool } from "./call-tool.ts";
import { objectAt } from "./message.ts";
import { rpcCodes, RpcError } from "./rpc-error.ts";
import type { McpRequest, Method } from "./surface.ts";

/** The extension by which a modern client takes a handle to what takes long, and asks for the result later. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

const checkRun = "service_check_run";
const pollIntervalMs = 3_000;
const dayMs = 86_400_000;

/** `tools/call` for clients that know tasks, too: a run that goes on is answered as the task that stands for it. */
export const callToolOrTask: Method = async (request) => {
  const result = await callTool(request);
  const runId = knowsTasks(request.capabilities) ? runThatGoesOn(request, result) : undefined;
  if (runId === undefined) return result;
  // Every run is on record, so each is a task already.
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
  // A run that failed has a result that says so; only what is no matter of the tool fails a task.
  const params = { name: checkRun, arguments: { run_id: run.runId, wait_seconds: 0 } };
  const result = await callTool({ ...request, params });
  return { ...task, result };
}

/** `tasks/cancel`: the same as cancelling the run. What has ended stays as it is. */
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

/** `tasks/update`: a run asks its client for nothing, so there is nothing to do with what it says. */
export async function updateTask(request: McpRequest): Promise<JsonObject> {
  requireScope(request.caller, "mcp:execute");
  await findRun(request);
  return {};
}

/** Throws `RpcError` for a client whose capabilities do not say that it knows tasks. */
export function requireTasks(capabilities: JsonObject): void {
  if (knowsTasks(capabilities)) return;
  throw new RpcError(rpcCodes.missingCapability, "Missing required client capability", {
    data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    httpStatus: 400,
  });
}

async function findRun(request: McpRequest): Promise<Run> {
  requireTasks(request.capabilities);
  const { taskId } = request.params;
  try {
    return await getRun(request.context, request.caller, typeof taskId === "string" ? taskId : "");
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "run_not_found") throw error;
    throw new RpcError(rpcCodes.invalidParams, "There is no task of this id that you may see");
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

/** Only modern requests say what their clients know. */
function knowsTasks(capabilities: JsonObject): boolean {
  return isJsonObject(objectAt(capabilities, "extensions")[tasksExtension]);
}

/** Whoever checks a run wants to know how it is now. */
function runThatGoesOn({ params }: McpRequest, result: JsonObject): string | undefined {
  const { status, runId } = objectAt(result, "structuredContent");
  const goesOn = status === "running" && params["name"] !== checkRun;
  return goesOn && typeof runId === "string" ? runId : undefined;
}
