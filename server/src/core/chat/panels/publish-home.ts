import type { ChatConnectionTable } from "#db";
import { newId } from "#lib/ids";
import { ChatError, isRateLimited } from "../chat-error.ts";
import type { ChatContext } from "../context.ts";
import { identify } from "../identify.ts";
import { messages } from "../messages.ts";
import type { ChatTransport } from "../platform.ts";
import { describeHome } from "./home.ts";
import type { ChatHome } from "./panel.ts";

type Opening = { chatUserId: string; isExternal?: boolean | undefined; hash?: string | undefined };

/** Publishes a person's Home. Throws only after a rate limit: any other failure ends when they open it again. */
export async function publishHome(
  context: ChatContext,
  { connection, transport }: { connection: ChatConnectionTable; transport: ChatTransport },
  { chatUserId, isExternal = false, hash }: Opening,
): Promise<void> {
  const { panels } = transport;
  if (panels === undefined) return;
  const build = () => buildHome(context, { connection, transport, chatUserId, isExternal });
  try {
    if (await panels.publishHome(chatUserId, await build(), hash)) return;
    // The person sees a newer version than they saw when they opened it, so it is built again.
    await panels.publishHome(chatUserId, await build());
  } catch (error) {
    if (!(error instanceof ChatError) || isRateLimited(error)) throw error;
    if (error.failure === "revoked") throw error;
    context.log.debug({ err: error }, "a Home could not be published");
  }
}

type Building = {
  connection: ChatConnectionTable;
  transport: ChatTransport;
  chatUserId: string;
  isExternal: boolean;
};

async function buildHome(context: ChatContext, building: Building): Promise<ChatHome> {
  const { connection, transport, chatUserId } = building;
  const identified = await identify(context, { ...building, requestId: newId() });
  if ("caller" in identified) {
    const user = { connection, chatUserId, caller: identified.caller };
    return describeHome(context, user, transport);
  }
  if ("isFormerMember" in identified) {
    return { sections: [{ text: messages.notAMember(connection.team_name) }] };
  }
  const button = { label: messages.linkAccountButton, url: identified.linkUrl };
  return { sections: [{ text: messages.homeUnlinked, buttons: [button] }] };
}
