import type { ChatContext } from "./context.ts";
import { isRateLimited } from "./chat-error.ts";
import { findTeamConnection } from "./connection-store.ts";
import type { ChatMessage } from "./event.ts";
import { markAcknowledged } from "./inbox-store.ts";
import { openTransport } from "./open-transport.ts";
import type { ChatOutcome, ChatTransport } from "./platform.ts";

type Outcome = ChatOutcome | undefined;

/** Further messages are acknowledged when their job is processed. */
const maxWaiting = 1_000;

/** Acknowledges a message in the background, so that the user immediately sees that it arrived. */
export function acknowledgeSoon(
  context: ChatContext,
  asked: { id: string; platform: string; message: ChatMessage },
): void {
  const { acknowledging } = context.chat;
  if (acknowledging.count >= maxWaiting) return;
  acknowledging.count += 1;
  acknowledging.slots
    .use(() => acknowledge(context, asked))
    .catch((error: unknown) =>
      context.log.debug({ err: error }, "a message could not be acknowledged"),
    )
    .finally(() => {
      acknowledging.count -= 1;
    });
}

async function acknowledge(
  context: ChatContext,
  {
    id,
    platform,
    message: { teamId, channel, messageId, hint },
  }: { id: string; platform: string; message: ChatMessage },
): Promise<void> {
  if (context.cluster.isStopping) return;
  const connection = await findTeamConnection(context.db, platform, teamId);
  if (connection === undefined) return;
  const transport = openTransport(context, connection, hint);
  await acknowledgeOnce(context, transport, { id, channel, messageId });
}

/** Shows in the background that the work on a message ended, and how. */
export function finishSoon(
  context: ChatContext,
  transport: ChatTransport,
  { message, outcome }: { message: { channel: string; messageId: string }; outcome: Outcome },
): void {
  const { acknowledging } = context.chat;
  if (acknowledging.count >= maxWaiting) return;
  acknowledging.count += 1;
  acknowledging.slots
    .use(() => transport.finish(message, outcome))
    .catch((error: unknown) => context.log.debug({ err: error }, "a reaction could not be changed"))
    .finally(() => {
      acknowledging.count -= 1;
    });
}

/** Does work in the background that nothing waits for; false if too much of it waits. */
export function workSoon(context: ChatContext, work: () => Promise<void>): boolean {
  const { acknowledging } = context.chat;
  if (acknowledging.count >= maxWaiting) return false;
  acknowledging.count += 1;
  acknowledging.slots
    .use(work)
    .catch((error: unknown) => context.log.warn({ err: error }, "background work of a chat failed"))
    .finally(() => {
      acknowledging.count -= 1;
    });
  return true;
}

/** Acknowledges the message of a job. After a rate limit it is left out, because the answer matters more. */
export async function acknowledgeOnce(
  { db }: ChatContext,
  transport: ChatTransport,
  { id, ...message }: { id: string; channel: string; messageId: string },
): Promise<void> {
  try {
    await transport.acknowledge(message);
  } catch (error) {
    if (!isRateLimited(error)) throw error;
  }
  await markAcknowledged(db, id);
}
