import { z } from "zod";
import { ChatError } from "#core/chat";
import type { ChatBlock, ChatProfile, ChatTeam, PlatformTransport } from "#core/chat";
import type { TokenSource } from "./entra.ts";
import { messages } from "./messages.ts";
import {
  isPersonal,
  isTeamChannel,
  readHint,
  toActivityId,
  toConversationId,
  toMessageId,
} from "./teams-activity.ts";
import type { CallTeams } from "./teams-call.ts";
import { createTeamsCall } from "./teams-call.ts";
import { showsWhole, toPlainMessage, toTeamsMessage } from "./teams-card.ts";
import type { Mention } from "./teams-card.ts";
import { downloadTeamsFile } from "./teams-files.ts";
import type { TeamsSettings } from "./teams-settings.ts";

type Target = { channel: string; thread?: string | undefined };

/** The transport into a tenant. The Bot Connector lists no messages, so an answer whose response was lost is repeated. */
export function openTeams(
  settings: TeamsSettings,
  tokens: TokenSource,
  team: ChatTeam,
  hint: string | undefined,
): PlatformTransport {
  const { serviceUrl, channel: asked } = readHint(settings, hint);
  const call = createTeamsCall(settings, tokens, serviceUrl);
  const postDirectly = async (user: string, blocks: readonly ChatBlock[]) => {
    await post(call, { channel: await openPersonal(call, team, user) }, blocks);
  };
  return {
    ...createPosts(call, asked),
    postEphemeral: async (target, user, blocks) => {
      if (isPersonal(target.channel)) return void (await post(call, target, blocks));
      try {
        return await postDirectly(user, blocks);
      } catch (error) {
        // A person to whom the app may not write is asked to add it; the message itself is for them alone.
        if (!(error instanceof ChatError) || error.failure !== "gone") throw error;
        return void (await post(call, target, inviteToChat(team)));
      }
    },
    postPrivately: (_, user, blocks) => postDirectly(user, blocks),
    setStatus: async (target, _, status) => {
      if (status === undefined || isTeamChannel(target.channel)) return;
      await call(`POST ${pathOf(target)}`, { type: "typing" });
    },
    // Messages cannot be found again.
    findMarked: async () => undefined,
    findProfile: async (user) =>
      findProfile(call, team, { user, channel: asked ?? (await openPersonal(call, team, user)) }),
    downloadFile: ({ id }, maxBytes) => downloadTeamsFile(settings, tokens, id, maxBytes),
    check: async () => void (await tokens.renew()),
    showsWhole,
    // The secret is a setting of this server.
    revoke: async () => undefined,
  };
}

function createPosts(
  call: CallTeams,
  asked: string | undefined,
): Pick<PlatformTransport, "post" | "postToChannel" | "update"> {
  return {
    post: async (threadRef, { blocks, notify }) => {
      const isAlone = notify === undefined || isPersonal(threadRef.channel);
      const mention = isAlone
        ? undefined
        : await findMention(call, asked ?? threadRef.channel, notify);
      return post(call, threadRef, blocks, mention);
    },
    postToChannel: async (channel, { blocks }) => {
      await post(call, { channel }, blocks);
    },
    update: async (threadRef, { messageId, blocks }) => {
      const path = `${pathOf(threadRef)}/${encodeURIComponent(toActivityId(messageId))}`;
      await send(call, `PUT ${path}`, blocks);
    },
  };
}

function pathOf(target: Target): string {
  return `v3/conversations/${encodeURIComponent(toConversationId(target))}/activities`;
}

const posted = z.object({ id: z.string().min(1).max(500) });

async function post(
  call: CallTeams,
  target: Target,
  blocks: readonly ChatBlock[],
  mention?: Mention,
): Promise<string> {
  return toMessageId(posted.parse(await send(call, `POST ${pathOf(target)}`, blocks, mention)).id);
}

/** Sends a message as a card, or as plain text if Teams refuses the card. */
async function send(
  call: CallTeams,
  request: string,
  blocks: readonly ChatBlock[],
  mention?: Mention,
): Promise<unknown> {
  try {
    return await call(request, toTeamsMessage(blocks, mention));
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure !== "refused") throw error;
    return call(request, toPlainMessage(blocks));
  }
}

async function openPersonal(
  call: CallTeams,
  { teamId, botUserId }: ChatTeam,
  user: string,
): Promise<string> {
  const found = await call("POST v3/conversations", {
    bot: { id: botUserId },
    members: [{ id: user }],
    isGroup: false,
    tenantId: teamId,
    channelData: { tenant: { id: teamId } },
  });
  return posted.parse(found).id;
}

function inviteToChat({ botUserId }: ChatTeam): ChatBlock[] {
  const url = `https://teams.microsoft.com/l/chat/0/0?users=${encodeURIComponent(botUserId)}`;
  return [
    { kind: "text", text: messages.openChatFirst },
    { kind: "buttons", buttons: [{ label: messages.openChat, url }] },
  ];
}

const member = z.object({
  id: z.string(),
  name: z.string().catch(""),
  email: z.string().nullish(),
  userPrincipalName: z.string().nullish(),
  tenantId: z.string().nullish(),
  userRole: z.string().nullish(),
});

async function readMember(call: CallTeams, channel: string, user: string) {
  const path = `v3/conversations/${encodeURIComponent(channel)}/members/${encodeURIComponent(user)}`;
  return member.parse(await call(`GET ${path}`));
}

/** Undefined for a person who cannot be mentioned. */
async function findMention(
  call: CallTeams,
  channel: string,
  user: string,
): Promise<Mention | undefined> {
  try {
    const name = (await readMember(call, channel, user)).name.replaceAll(/[<>&{}]/g, "").trim();
    return name === "" ? undefined : { id: user, name: name.slice(0, 100) };
  } catch (error) {
    if (!(error instanceof ChatError) || error.failure === "later") throw error;
    return undefined;
  }
}

/** Others may have set an address, unless it is the name with which a member signs in: its domain is verified. */
async function findProfile(
  call: CallTeams,
  { teamId }: ChatTeam,
  { user, channel }: { user: string; channel: string },
): Promise<ChatProfile> {
  const found = await readMember(call, channel, user);
  const email = found.email?.toLowerCase();
  const isMember =
    found.id === user && found.userRole === "user" && found.tenantId?.toLowerCase() === teamId;
  const isTrusted =
    isMember && email !== undefined && email === found.userPrincipalName?.toLowerCase();
  return { name: found.name || user, email: isTrusted ? email : undefined };
}
