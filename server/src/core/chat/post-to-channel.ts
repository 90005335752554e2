import type { ChatBlock } from "./block.ts";
import { ChatError } from "./chat-error.ts";
import { findConnection } from "./connection-store.ts";
import type { ChatContext } from "./context.ts";
import { markBroken } from "./mark-broken.ts";
import { openTransport } from "./open-transport.ts";

type Posting = {
  workspaceId: string;
  connectionId: string;
  channel: string;
  blocks: readonly ChatBlock[];
  /** Identifies the message in repeated attempts. */
  mark: string;
  isRetry: boolean;
};

/** Posts into a channel of a workspace's team, outside of threads. Throws `ChatError`. */
export async function postToChannel(
  context: ChatContext,
  { workspaceId, connectionId, channel, blocks, mark, isRetry }: Posting,
): Promise<void> {
  const connection = await findConnection(context.db, { id: connectionId, workspaceId });
  if (connection === undefined)
    throw new ChatError("gone", "The chat is no longer connected", { kind: "revoked" });
  try {
    const transport = openTransport(context, connection);
    await transport.postToChannel(channel, { blocks, mark }, isRetry);
  } catch (error) {
    if (
      error instanceof ChatError &&
      error.failure === "revoked" &&
      connection.state === "active"
    ) {
      await markBroken(context, connection, error.message);
    }
    throw error;
  }
}
