import { auditInsert } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable } from "#db";
import { newId } from "#lib/ids";
import { ChatError } from "./chat-error.ts";
import { changeConnection } from "./connection-store.ts";
import type { ChatTransport } from "./platform.ts";

/** Marks a connection as broken and deletes its token, which the platform no longer accepts. */
export async function markBroken(
  context: ChatContext,
  connection: ChatConnectionTable,
  problem: string,
): Promise<void> {
  const { db, clock } = context;
  const isBroken = await db.transact([
    changeConnection(db, connection, {
      state: "broken",
      problem: problem.slice(0, 300),
      sealed_value: null,
      wrapped_key: null,
      key_id: null,
      changed_at: clock.now(),
    }),
    auditInsert(
      context,
      {
        workspaceId: connection.workspace_id,
        actor: { userId: null },
        via: "system",
        requestId: newId(),
        ip: null,
      },
      {
        action: "chat.break",
        target: connection.id,
        details: { platform: connection.platform, team: connection.team_id },
      },
    ),
  ]);
  if (isBroken) context.log.warn({ connection: connection.id }, "a chat connection broke");
}

/**
 * Marks a connection as broken if its token is really invalid: an event of a removal may arrive after the team was
 * connected again.
 */
export async function markBrokenIfRevoked(
  context: ChatContext,
  connection: ChatConnectionTable,
  transport: ChatTransport,
): Promise<void> {
  try {
    await transport.check();
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure !== "revoked") throw error;
    await markBroken(context, connection, error.message);
  }
}
