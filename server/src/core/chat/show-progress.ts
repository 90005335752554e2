import type { Progress } from "@toolhost/contract";
import type { ChatContext } from "./context.ts";
import { showFinished, showRunning } from "./answers/run-blocks.ts";
import { findStop } from "./answers/stop-run.ts";
import { ChatError } from "./chat-error.ts";
import { findTeamConnection } from "./connection-store.ts";
import { findWatchedDeliveries, isPending, noteShown, wasCancelled } from "./delivery-store.ts";
import type { WatchedDelivery } from "./delivery-store.ts";
import { openTransport } from "./open-transport.ts";

/** How often progress is checked, and the minimum pause between updates of one message. */
export const showEveryMs = 2_000;
const messageMs = 3_000;
/** Platforms allow about fifty message updates per team and minute, and answers take priority. */
const maxPerTeam = 1;
const maxSeen = 100;

/** Updates the messages of runs in progress, regardless of their node. */
export async function showProgress(context: ChatContext): Promise<void> {
  const shownBefore = context.clock.now() - messageMs;
  const found = await findWatchedDeliveries(context.db, { shownBefore, limit: maxSeen });
  const ofTeam = new Map<string, number>();
  const chosen = found.filter(({ connection_id: id }) => {
    const count = (ofTeam.get(id) ?? 0) + 1;
    ofTeam.set(id, count);
    return count <= maxPerTeam;
  });
  await Promise.all(chosen.map((delivery) => show(context, delivery)));
}

async function show(context: ChatContext, delivery: WatchedDelivery): Promise<void> {
  const { run_id: runId, progress, channel, thread, message_id: messageId } = delivery;
  if (progress === null) return;
  const noted = { shown: progress, shown_at: context.clock.now() };
  if (!(await context.db.transact([noteShown(context.db, delivery, noted)]))) return;
  const { platform, team_id: teamId, title, tool_name: name, queued } = delivery;
  const connection = await findTeamConnection(context.db, platform, teamId);
  if (connection === undefined) return;
  const run = { title: title ?? name, baseUrl: context.config.baseUrl };
  const threadRef = { channel, thread };
  try {
    const transport = openTransport(context, connection);
    const stop = await findStop(context, { connectionId: connection.id, messageId, runId });
    const stopId = stop?.id;
    const state = { runId, queued: queued === 1 };
    const running = showRunning(state, { ...run, stopId }, JSON.parse(progress) as Progress);
    await transport.update(threadRef, { messageId, blocks: running });
    // The run may have completed in the meantime, and this update would overwrite its result.
    if (await isPending(context.db, runId)) return;
    const isCancelled = await wasCancelled(context.db, runId);
    await transport.update(threadRef, {
      messageId,
      blocks: showFinished(runId, { ...run, isCancelled }),
    });
  } catch (error) {
    // Progress is optional; a broken connection shows when the run completes.
    if (!(error instanceof ChatError)) throw error;
    context.log.debug({ err: error, runId }, "a run's progress could not be posted");
  }
}
