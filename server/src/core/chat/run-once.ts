import canonicalize from "canonicalize";
import type { JsonObject, Run, RunResult } from "@toolhost/contract";
import { requireScope } from "#core/identity";
import type { Caller } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import { keyedRequest, KeyTakenError, findResponse, ServiceError } from "#core/kernel";
import { findKeyedRuns, getRun, runTool } from "#core/runs";
import { sha256 } from "#lib/hash";
import { extendLease } from "./job-lease.ts";
import type { Turn } from "./turn.ts";

export type RunRequest = { toolName: string; input: JsonObject; waitMs: number };

/**
 * Runs a tool once for a job, however often the job starts again: the same tool and input are the same run, whose
 * current state it returns. Throws `insufficient_scope`, and as `runTool`.
 */
export async function runOnce(
  context: ChatContext,
  { caller, job }: Turn,
  { toolName, input, waitMs }: RunRequest,
): Promise<RunResult> {
  await extendLease(context, job);
  requireScope(caller, "mcp:execute");
  const inputHash = sha256(`${toolName}\n${canonicalize(input) ?? ""}`).slice(0, 32);
  const request = keyedRequest(context, caller, `${keyStart(job.id)}${inputHash}`, {
    method: "POST",
    path: `/run/${toolName}`,
    body: input,
  });
  const key = { request, headers: {}, isSearched: true } as const;
  // The second attempt is for a record that expired between the two statements.
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return await runTool(context, caller, { toolName, input, waitMs, key });
    } catch (error) {
      if (!(error instanceof KeyTakenError)) throw error;
      const known = await recallRun(context, caller, request);
      if (known !== undefined) return known;
    }
  }
  throw new ServiceError("unavailable", "The run could not be started. Retry shortly.", {
    retryAfterSeconds: 1,
  });
}

/** The runs that earlier attempts of the turn's job started, oldest first. */
export async function startedRuns(context: ChatContext, { caller, job }: Turn): Promise<Run[]> {
  return job.attempt <= 1 ? [] : findJobRuns(context, caller, job.id);
}

/** The runs that a job started, oldest first. */
export async function findJobRuns(
  context: ChatContext,
  caller: Caller,
  jobId: string,
): Promise<Run[]> {
  const nothing = { method: "POST", path: "", body: undefined };
  const { recordId: start } = keyedRequest(context, caller, keyStart(jobId), nothing);
  return findKeyedRuns(context, caller, { start, sinceId: jobId });
}

function keyStart(jobId: string): string {
  return `chat:${jobId}:`;
}

/** The current state of a run that an earlier attempt started. */
async function recallRun(
  context: ChatContext,
  caller: Caller,
  request: Parameters<typeof findResponse>[1],
): Promise<RunResult | undefined> {
  const runId = await findRunId(context, request);
  if (runId === undefined) return undefined;
  const { status, toolUrl, output, error, queued } = await getRun(context, caller, runId);
  return {
    runId,
    status,
    toolUrl,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    ...(queued === undefined ? {} : { queued }),
  };
}

async function findRunId(
  context: ChatContext,
  request: Parameters<typeof findResponse>[1],
): Promise<string | undefined> {
  try {
    const stored = await findResponse(context, request);
    return stored !== undefined && "runId" in stored ? stored.runId : undefined;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "idempotency_in_flight") throw error;
    const runId = error.extra?.["runId"];
    if (typeof runId !== "string") throw error;
    return runId;
  }
}
