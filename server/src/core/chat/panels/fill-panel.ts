import type { Caller } from "#core/kernel";
import { ServiceError } from "#core/kernel";
import { newId } from "#lib/ids";
import { workSoon } from "../acknowledge.ts";
import type { ChatButton } from "../block.ts";
import { ChatError } from "../chat-error.ts";
import { findTeamConnection } from "../connection-store.ts";
import type { ChatContext } from "../context.ts";
import { identify } from "../identify.ts";
import { messages } from "../messages.ts";
import { openTransport } from "../open-transport.ts";
import type { ChatTransport } from "../platform.ts";
import type { ChatConnectionTable } from "#db";
import type { ChatPanel, ChatPanels } from "./panel.ts";

export type PanelRequest = {
  teamId: string;
  chatUserId: string;
  isExternal?: boolean | undefined;
  /** Allows one panel to be opened, for a few seconds. */
  triggerId: string;
  /** Where the panel was requested. */
  channel: string;
};

/** A person for whom a panel is filled. */
export type PanelUser = { connection: ChatConnectionTable; chatUserId: string; caller: Caller };

/**
 * Opens a panel at once, and fills it in the background for the person who requested it. Once this returns, the person
 * sees the panel, or is notified that it could not be opened.
 */
export async function openAndFill(
  context: ChatContext,
  platform: string,
  request: PanelRequest,
  { title, fill }: { title: string; fill: (user: PanelUser) => Promise<ChatPanel> },
): Promise<void> {
  const connection = await findTeamConnection(context.db, platform, request.teamId);
  if (connection === undefined) return;
  const transport = openTransport(context, connection);
  const { panels } = transport;
  if (panels === undefined) return;
  const panelId = await open(context, { transport, panels, request, title });
  if (panelId === undefined) return;
  const isTaken = workSoon(context, async () => {
    const panel = await fillFor(context, { connection, transport, request, title, fill });
    await panels.update(panelId, panel);
  });
  if (!isTaken) await panels.update(panelId, notice(title, messages.tryLater));
}

type Opening = {
  transport: ChatTransport;
  panels: ChatPanels;
  request: PanelRequest;
  title: string;
};

/** Undefined if there is no panel to fill. */
async function open(
  context: ChatContext,
  { transport, panels, request, title }: Opening,
): Promise<string | undefined> {
  try {
    const text = messages.loading;
    return await panels.open(request.triggerId, { kind: "loading", title, text });
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure === "revoked") throw error;
    context.log.debug({ err: error }, "a panel could not be opened");
    const text = messages.panelNotOpened;
    await transport.postPrivately?.(request.channel, request.chatUserId, [{ kind: "text", text }]);
    return undefined;
  }
}

type Filling = {
  connection: ChatConnectionTable;
  transport: ChatTransport;
  request: PanelRequest;
  title: string;
  fill: (user: PanelUser) => Promise<ChatPanel>;
};

async function fillFor(
  context: ChatContext,
  { connection, transport, request, title, fill }: Filling,
): Promise<ChatPanel> {
  const { chatUserId, isExternal = false } = request;
  try {
    const asking = { connection, transport, chatUserId, isExternal, requestId: newId() };
    const identified = await identify(context, asking);
    if ("caller" in identified) {
      return await fill({ connection, chatUserId, caller: identified.caller });
    }
    if ("isFormerMember" in identified) {
      return notice(title, messages.notAMember(connection.team_name));
    }
    const button = { label: messages.linkAccountButton, url: identified.linkUrl };
    return notice(title, messages.linkAccountFirst, [button]);
  } catch (error) {
    if (error instanceof ServiceError) return notice(title, error.message);
    context.log.warn({ err: error }, "a panel could not be filled");
    return notice(title, messages.tryLater);
  }
}

/** A panel that only says something. */
export function notice(title: string, text: string, buttons: readonly ChatButton[] = []) {
  return { kind: "notice", title, text, buttons } satisfies ChatPanel;
}
