import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable } from "#db";
import { ChatError } from "./chat-error.ts";
import { deleteConnection, findDisconnected } from "./connection-store.ts";
import { openTransport } from "./open-transport.ts";

/** How long a revocation is retried while the platform is unavailable. */
const patienceMs = 86_400_000;

/** Revokes the tokens of disconnected teams, then deletes their rows. */
export async function revokeDisconnected(context: ChatContext): Promise<void> {
  for (const connection of await findDisconnected(context.db)) {
    if (await revokeToken(context, connection)) {
      await context.db.transact([deleteConnection(context.db, connection)]);
    }
  }
}

async function revokeToken(
  context: ChatContext,
  connection: ChatConnectionTable,
): Promise<boolean> {
  if (connection.sealed_value === null) return true;
  try {
    await openTransport(context, connection).revoke();
  } catch (error) {
    const isOver = context.clock.now() - connection.changed_at > patienceMs;
    const mayWorkLater = error instanceof ChatError && error.failure === "later";
    if (mayWorkLater && !isOver) return false;
    context.log.debug({ err: error }, "a chat token could not be revoked");
  }
  return true;
}
