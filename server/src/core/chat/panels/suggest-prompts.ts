import type { ChatConnectionTable } from "#db";
import { newId } from "#lib/ids";
import { findOwnTools } from "../answers/own-tools.ts";
import { ChatError } from "../chat-error.ts";
import type { ChatContext } from "../context.ts";
import { identify } from "../identify.ts";
import { messages } from "../messages.ts";
import type { ChatTransport } from "../platform.ts";

const maxTools = 3;

type Opening = { chatUserId: string; isExternal?: boolean | undefined; channel: string };

/** Suggests what a person can ask, with their own tools first. Prompts are optional, so no failure matters. */
export async function suggestPrompts(
  context: ChatContext,
  { connection, transport }: { connection: ChatConnectionTable; transport: ChatTransport },
  { chatUserId, isExternal = false, channel }: Opening,
): Promise<void> {
  if (transport.panels === undefined) return;
  try {
    const asking = { connection, transport, chatUserId, isExternal, requestId: newId() };
    const identified = await identify(context, asking);
    const tools =
      "caller" in identified ? await findOwnTools(context, identified.caller, maxTools) : [];
    await transport.panels.suggest(channel, [
      ...tools.map(({ title }) => ({ title, message: title })),
      { title: messages.promptHelp, message: messages.promptHelp },
    ]);
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    context.log.debug({ err: error }, "prompts could not be suggested");
  }
}
