import canonicalize from "canonicalize";
import type { Run, RunResult } from "@toolhost/contract";
import { requireScope } from "#core/identity";
import type { Caller } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import { keyedRequest, KeyTakenError, findResponse, ServiceError } from "#core/kernel";
import { findKeyedRuns, getRun, runTool } from "#core/runs";
import { sha256 } from "#lib/hash";
import type { RunAsked } from "./responder.ts";

/**
 * Runs a tool once for some work, however often that is begun: the same tool and input is the same run, and
 * answers as far as it got. Throws `insufficient_scope`, and as `runTool`.
 */
export async function runOnce(
  context: ChatContext,
  caller: Caller,
  workId: string,
  { toolName, input, waitMs, noteRun }: RunAsked,
): Promise<RunResult> {
  requireScope(caller, "mcp:execute");
  const what = sha256(`${toolName}\n${canonicalize(input) ?? ""}`).slice(0, 32);
  const request = keyedRequest(context, caller, `${keyStart(workId)}${what}`, {
    method: "POST",
    path: `/run/${toolName}`,
    body: input,
  });
  const key = { request, headers: {} };
  // Again only when the record that stood in the way ran out at that moment.
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return await runTool(context, caller, { toolName, input, waitMs, key, noteRun });
    } catch (error) {
      if (!(error instanceof KeyTakenError)) throw error;
      const known = await recallRun(context, caller, request);
      if (known === undefined) continue;
      noteRun?.(known.runId);
      return known;
    }
  }
  throw new ServiceError("unavailable", "The run could not be begun. Try again.", {
    retryAfterSeconds: 1,
  });
}

/** The runs that were begun for some work until now. */
export async function findBegun(
  context: ChatContext,
  caller: Caller,
  workId: string,
): Promise<Run[]> {
  const nothing = { method: "POST", path: "", body: undefined };
  const { recordId: start } = keyedRequest(context, caller, keyStart(workId), nothing);
  return findKeyedRuns(context, caller, { start, sinceId: workId });
}

function keyStart(workId: string): string {
  return `chat:${workId}:`;
}

/** The run that an earlier attempt began, as it is now: it may have ended since that attempt was told. */
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
    const kept = await findResponse(context, request);
    if (kept === undefined || "runId" in kept) return kept?.runId;
    return kept.body === null ? undefined : (JSON.parse(kept.body) as RunResult).runId;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "idempotency_in_flight") throw error;
    const runId = error.extra?.["runId"];
    if (typeof runId !== "string") throw error;
    return runId;
  }
}
