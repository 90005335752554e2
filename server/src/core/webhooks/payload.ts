import type { RunError, RunWebhookPayload } from "@toolhost/contract";
import type { WebhookDeliveryTable } from "#db";
import { toTimestamp, toTimestampOrNull } from "#lib/clock";
import type { ReportedRun } from "./delivery-store.ts";

type Data = RunWebhookPayload["data"];

/**
 * The JSON of an event. It contains no input, log or error message, and an output only if the webhook includes it: that is
 * redacted already, as the record of the run is.
 */
export function payloadOf(
  { type, created_at: endedAt }: Pick<WebhookDeliveryTable, "type" | "created_at">,
  run: ReportedRun,
  { baseUrl, withOutput }: { baseUrl: string; withOutput: boolean },
): string {
  const data: Data = {
    runId: run.id,
    parentRunId: run.parent_run_id,
    toolName: run.tool_name,
    toolVersion: run.tool_version,
    status: run.status as Data["status"],
    errorCode: run.error === null ? null : (JSON.parse(run.error) as RunError).code,
    createdAt: toTimestamp(run.created_at),
    startedAt: toTimestampOrNull(run.started_at),
    finishedAt: toTimestampOrNull(run.finished_at),
    durationMs: run.duration_ms,
    via: run.via as Data["via"],
    runUrl: `${baseUrl}/runs/${run.id}`,
  };
  const event: RunWebhookPayload = {
    type: type as RunWebhookPayload["type"],
    timestamp: toTimestamp(endedAt),
    data,
  };
  if (!withOutput) return JSON.stringify(event);
  if (run.has_large_output === 1) {
    const omitted: RunWebhookPayload = { ...event, data: { ...data, outputOmitted: true } };
    return JSON.stringify(omitted);
  }
  // The output is JSON already.
  return `${JSON.stringify(event).slice(0, -2)},"output":${run.output ?? "null"}}}`;
}
