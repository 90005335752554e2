import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable } from "#db";
import { ChatError } from "./chat-error.ts";
import { deleteConnection, findDisconnected } from "./connection-store.ts";
import { openTransport } from "./open-transport.ts";

/** So long a platform that does not answer is asked again to take a token back. */
const patienceMs = 86_400_000;

/** Gives the tokens of connections that were ended back to their platforms, then forgets them. */
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
    context.log.debug({ err: error }, "a chat's token could not be given back");
  }
  return true;
}
