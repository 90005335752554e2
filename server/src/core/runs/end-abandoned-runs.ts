import type { RunErrorCode, Via } from "@toolhost/contract";
import type { Actor } from "#core/access";
import { auditEvent } from "#core/audit";
import type { Context } from "#core/context";
import type { RunTable } from "#db";
import { endRun, findAbandonedRuns, findRunsOfNode } from "./run-store.ts";

/**
 * Ends the runs of nodes that are no more, so that none stays `running` for ever. Safe to call from
 * several nodes at once. Answers how many it ended.
 */
export async function endAbandonedRuns(
  context: Context,
  liveNodeIds: readonly string[],
  code: RunErrorCode,
): Promise<number> {
  const rows = await findAbandonedRuns(context.db, liveNodeIds);
  return endRuns(context, rows, code);
}

/** Long enough for a run that was just accepted to have begun. */
const begunAfterMs = 30_000;

/**
 * Ends the runs of this node that nobody works on: those whose end could not be written while the
 * database was away. Answers how many it ended.
 */
export async function endForgottenRuns(context: Context): Promise<number> {
  const before = context.clock.now() - begunAfterMs;
  const rows = await findRunsOfNode(context.db, context.nodeId, before);
  const forgotten = rows.filter(({ id }) => !context.activeRuns.has(id));
  return endRuns(context, forgotten, "sandbox_lost");
}

async function endRuns(
  context: Context,
  rows: readonly RunTable[],
  code: RunErrorCode,
): Promise<number> {
  let ended = 0;
  for (const row of rows) {
    const now = context.clock.now();
    const message = "The process that worked on the run ended. Run the tool again.";
    const event = auditEvent(
      now,
      {
        workspaceId: row.workspace_id,
        actor: JSON.parse(row.actor) as Actor,
        via: row.via as Via,
        requestId: row.request_id,
        ip: row.ip,
      },
      {
        action: "run.create",
        target: row.id,
        outcome: code,
        details: { toolName: row.tool_name, toolVersion: row.tool_version },
      },
    );
    const isEnded = await endRun(context.db, {
      runId: row.id,
      nodeId: row.node_id,
      columns: {
        status: "failed",
        queued: 0,
        output: null,
        error: JSON.stringify({ code, message }),
        progress: row.progress,
        started_at: row.started_at,
        finished_at: now,
        duration_ms: null,
        cpu_ms: null,
        logs_truncated: 0,
      },
      event,
      logs: undefined,
    });
    if (isEnded) ended += 1;
  }
  return ended;
}
