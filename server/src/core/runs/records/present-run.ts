import type { Run, RunResult, RunSummary } from "@toolhost/contract";
import { toolUrl } from "#core/catalog";
import type { RunTable } from "#db";
import { toTimestamp, toTimestampOrNull } from "#lib/clock";
import { withJsonText } from "#lib/json-text";
import { openQuestionOf } from "../questions/open-question.ts";
import type { ListedRun } from "./run-list-store.ts";

/** The columns that a run's result is made of. */
export type RunOutcome = Pick<
  RunTable,
  "id" | "tool_name" | "status" | "queued" | "output" | "error" | "is_private"
> &
  Partial<Pick<RunTable, "question" | "sealed_answer">> & {
    /** The parsed output, on the node that executed the run. */
    outputValue?: RunResult["output"];
  };

/** The path of a run in REST, which is the `Location` of responses to `POST /run`. */
export function runLocation(runId: string): string {
  return `/api/v1/runs/${runId}`;
}

/** The run as `POST /run` returns it. */
export function presentResult(row: RunOutcome, baseUrl: string): RunResult {
  const question = openQuestionOf(row);
  return {
    runId: row.id,
    status: row.status as RunResult["status"],
    ...(row.output === null ? {} : { output: row.outputValue ?? parseOutput(row.output) }),
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as RunResult["error"] }),
    ...(row.queued === 1 && row.status === "running" ? { queued: true } : {}),
    ...(question === undefined ? {} : { question }),
    toolUrl: toolUrl(baseUrl, row.tool_name),
  };
}

function parseOutput(text: string): RunResult["output"] {
  return withJsonText(JSON.parse(text) as RunResult["output"], text);
}

/**
 * The JSON text of {@link presentResult}, with the tool's URL at that time. The output is JSON already, and parsing a large one is
 * slow.
 */
export function resultAsJson(row: RunOutcome, storedToolUrl: string): string {
  const result = { ...presentResult({ ...row, output: null }, ""), toolUrl: storedToolUrl };
  const { runId, status, ...rest } = result;
  if (row.output === null) return JSON.stringify({ runId, status, ...rest });
  const before = JSON.stringify({ runId, status }).slice(0, -1);
  return `${before},"output":${row.output},${JSON.stringify(rest).slice(1)}`;
}

/** The run as `GET /runs/:runId` returns it. */
export function presentRun(row: RunTable, baseUrl: string): Run {
  return {
    ...presentListedRun(row, baseUrl),
    input: JSON.parse(row.input) as Run["input"],
    egress: row.egress === null ? [] : (JSON.parse(row.egress) as Run["egress"]),
    credentials:
      row.credentials === null ? [] : (JSON.parse(row.credentials) as Run["credentials"]),
  };
}

/** The run as `GET /runs` returns it, except for its title. */
export function presentListedRun(row: ListedRun, baseUrl: string): Omit<RunSummary, "title"> {
  return {
    ...presentResult(row, baseUrl),
    toolName: row.tool_name,
    toolVersion: row.tool_version,
    attempt: row.attempt,
    createdAt: toTimestamp(row.created_at),
    startedAt: toTimestampOrNull(row.started_at),
    finishedAt: toTimestampOrNull(row.finished_at),
    durationMs: row.duration_ms,
    progress: row.progress === null ? null : (JSON.parse(row.progress) as Run["progress"]),
    ...(row.input === null ? {} : { input: JSON.parse(row.input) as Run["input"] }),
    parentRunId: row.parent_run_id,
    via: row.via as Run["via"],
    userId: row.user_id,
    draft: row.draft_id !== null,
    draftId: row.draft_id,
    batchId: row.batch_id,
    feedback: row.feedback as Run["feedback"],
  };
}
