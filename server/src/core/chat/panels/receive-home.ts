import { newId } from "#lib/ids";
import type { ChatContext } from "../context.ts";
import type { InboxJob } from "../event.ts";
import { insertJob } from "../inbox-store.ts";
import { threadKey } from "../thread-key.ts";

/** A person's Home is built once in this time, however often they open it. */
const windowMs = 3_000;

type Opened = {
  teamId: string;
  chatUserId: string;
  isExternal: boolean;
  hash?: string | undefined;
  channel?: string | undefined;
};

/** Receives that a person opened their Home, or with a channel their conversation with the bot. Once this returns, a job publishes it, unless one did a moment ago. */
export async function receiveHomeOpening(
  context: ChatContext,
  platform: string,
  { teamId, ...home }: Opened,
): Promise<void> {
  const now = context.clock.now();
  const { chatUserId } = home;
  const job: InboxJob = { kind: "home", home };
  const query = insertJob(context.db, {
    id: newId(),
    platform,
    team_id: teamId,
    event_id: `${home.channel === undefined ? "home" : "prompts"}:${chatUserId}:${Math.floor(now / windowMs)}`,
    message_key: null,
    // One after the other, so that the newest state is published last.
    thread_key: threadKey(platform, teamId, { channel: "home", thread: chatUserId }),
    kind: job.kind,
    payload: JSON.stringify(job),
    created_at: now,
  });
  if (await context.db.transact([{ query, mustChange: true }])) context.chat.worker.kick();
}
