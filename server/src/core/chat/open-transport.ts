import type { ChatContext } from "./context.ts";
import type { ChatConnectionTable } from "#db";
import { ChatError } from "./chat-error.ts";
import type { ChatTransport } from "./platform.ts";

/**
 * Opens the transport into a connected team; see {@link ChatPlatform.open} for the hint. Throws `ChatError` if the
 * platform is no longer configured or the token was deleted.
 */
export function openTransport(
  { chat, envelopes }: Pick<ChatContext, "chat" | "envelopes">,
  connection: ChatConnectionTable,
  hint?: string,
): ChatTransport {
  const platform = chat.platforms.get(connection.platform);
  if (platform === undefined) {
    throw new ChatError("later", `This server is no longer configured for ${connection.platform}`, {
      kind: "not_set_up",
    });
  }
  const { sealed_value: sealedValue, wrapped_key: wrappedKey, key_id: keyId } = connection;
  if (sealedValue === null || wrappedKey === null || keyId === null) {
    throw new ChatError("revoked", "The team has no token");
  }
  const secret = envelopes.open({ sealedValue, wrappedKey, keyId }, connection.id);
  const team = { teamId: connection.team_id, botUserId: connection.bot_user_id, secret };
  const { capabilities } = platform;
  return { ...unsupported, ...platform.open(team, hint), capabilities };
}

/** The methods that a platform may lack. */
const unsupported = {
  showsWhole: () => true,
  acknowledge: async () => undefined,
  finish: async () => undefined,
  setStatus: async () => undefined,
  openStream: () => undefined,
  respond: refuse,
  postPrivately: refuse,
  openForm: refuse,
  readThread: refuse,
  uploadFile: refuse,
};

async function refuse(): Promise<never> {
  throw new ChatError("refused", "The platform does not support this");
}
