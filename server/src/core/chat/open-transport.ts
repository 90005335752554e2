import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable } from "#db";
import { ChatError } from "./chat-error.ts";
import type { ChatTransport } from "./platform.ts";

/** The way into a connected team, for {@link ChatPlatform.open}'s hint. Throws `ChatError` where its platform or its token is there no more. */
export function openTransport(
  { chat, envelopes }: Pick<ChatContext, "chat" | "envelopes">,
  connection: ChatConnectionTable,
  hint?: string,
): ChatTransport {
  const platform = chat.platforms.get(connection.platform);
  if (platform === undefined) {
    throw new ChatError("later", `This server is not set up for ${connection.platform} any more`, {
      kind: "not_set_up",
    });
  }
  const { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId } = connection;
  if (sealedValue === null || wrappedKey === null || keyId === null) {
    throw new ChatError("revoked", "There is no token of this team");
  }
  const secret = envelopes.open({ sealedValue, wrappedKey, keyId }, connection.id);
  const team = { teamId: connection.team_id, botUserId: connection.bot_user_id, secret };
  return platform.open(team, hint);
}
