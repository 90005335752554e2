import type { ChatContext } from "./context.ts";
import { newId } from "#lib/ids";
import { findDueDeliveries, takeDelivery } from "./delivery-store.ts";
import type { DueDelivery } from "./delivery-store.ts";
import type { InboxJob } from "./event.ts";
import { insertJob } from "./inbox-store.ts";
import { threadKey } from "./thread-key.ts";

const atOnce = 50;

/** Enqueues one inbox job per completed run that a chat user waits for. */
export async function deliverCompletions(context: ChatContext): Promise<void> {
  for (const due of await findDueDeliveries(context.db, atOnce)) await deliver(context, due);
}

async function deliver(context: ChatContext, due: DueDelivery): Promise<void> {
  const { platform, team_id: teamId, channel, thread } = due;
  const job: InboxJob = {
    kind: "run_ended",
    ended: {
      channel,
      thread,
      chatUserId: due.chat_user_id,
      runId: due.run_id,
      messageId: due.message_id,
    },
  };
  const query = insertJob(context.db, {
    id: newId(),
    platform,
    team_id: teamId,
    event_id: `run:${due.run_id}`,
    message_key: null,
    thread_key: threadKey(platform, teamId, { channel, thread }),
    kind: job.kind,
    payload: JSON.stringify(job),
    created_at: context.clock.now(),
  });
  if (await context.db.transact([takeDelivery(context.db, due.run_id), query])) {
    context.chat.worker.kick();
  }
}
