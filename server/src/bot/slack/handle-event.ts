import { z } from "zod";
import {
  recordMessageEdit,
  recordThreadMessage,
  receiveBotRemoval,
  receiveHomeOpening,
  receiveMessage,
  receiveStop,
} from "#core/chat";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { slackFiles, toChatFiles } from "./slack-file-list.ts";
import { readSlackText } from "./slack-text.ts";

const id = z.string().min(1).max(100);
const timestamp = z.string().regex(/^\d{1,16}\.\d{1,10}$/);

const envelope = z.object({
  type: z.string(),
  challenge: z.string().max(1_000).optional(),
  team_id: id.optional(),
  context_team_id: id.nullish(),
  event_id: id.optional(),
  authorizations: z
    .array(
      z.object({
        team_id: id.nullish(),
        user_id: id.nullish(),
        is_enterprise_install: z.boolean().nullish(),
      }),
    )
    .optional(),
  event: z.looseObject({ type: z.string() }).optional(),
});

const message = z.object({
  type: z.enum(["app_mention", "message"]),
  subtype: z.string().optional(),
  channel: id,
  channel_type: z.string().optional(),
  user: id,
  team: id.nullish(),
  user_team: id.nullish(),
  source_team: id.nullish(),
  user_profile: z
    .object({
      team: id.nullish(),
      is_restricted: z.boolean().nullish(),
      is_ultra_restricted: z.boolean().nullish(),
    })
    .nullish(),
  bot_id: z.string().nullish(),
  text: z.string().default(""),
  ts: timestamp,
  thread_ts: timestamp.optional(),
  files: slackFiles.optional(),
});
type Message = z.infer<typeof message>;

const revocation = z.object({ tokens: z.object({ bot: z.array(z.string()).optional() }) });

const sessionStopped = z.object({
  user: id,
  channel: id,
  thread_ts: timestamp,
  event_ts: timestamp,
});

const homeOpened = z.object({
  user: id,
  channel: id.optional(),
  tab: z.string(),
  /** Absent until a Home was published. */
  view: z.object({ hash: z.string().max(100).optional() }).nullish(),
});

const changed = z.object({
  subtype: z.literal("message_changed"),
  channel: id,
  message: z.object({ ts: timestamp, text: z.string().default("") }),
});
const deleted = z.object({
  subtype: z.literal("message_deleted"),
  channel: id,
  deleted_ts: timestamp,
});

/** Message subtypes that people write; others are edits, deletions, or from Slack itself. */
const written = new Set([undefined, "file_share", "thread_broadcast"]);

type About = {
  teamId: string;
  /** The team that the event is from, which differs in shared channels. */
  fromTeamId: string | undefined;
  eventId: string;
  botUserId: string | undefined;
};

/**
 * Handles an event. A 200 acknowledges that the event is in the database or needs no action; Slack delivers the event
 * again after any other response.
 */
export async function handleEvent(context: Context, payload: unknown): Promise<Response> {
  const parsed = envelope.safeParse(payload);
  if (!parsed.success) throw new ServiceError("invalid_request", "Invalid Slack event.");
  const { type, challenge, event, event_id: eventId, authorizations } = parsed.data;
  if (type === "url_verification") return Response.json({ challenge });
  // In a shared channel, `team_id` is the team that the event is from; the authorization is the connected team.
  const { team_id: fromTeamId, context_team_id: contextTeamId } = parsed.data;
  const teamId = authorizations?.[0]?.team_id ?? contextTeamId ?? fromTeamId;
  // An organization-wide install covers teams that did not agree to it.
  if (authorizations?.[0]?.is_enterprise_install === true) return new Response(null);
  if (type === "event_callback" && event !== undefined && eventId !== undefined && teamId != null) {
    const botUserId = authorizations?.[0]?.user_id ?? undefined;
    await dispatch(context, event, { teamId, fromTeamId, eventId, botUserId });
  }
  return new Response(null, { status: 200 });
}

async function dispatch(context: Context, event: { type: string }, about: About): Promise<void> {
  const { teamId, eventId } = about;
  if (event.type === "app_uninstalled") {
    await receiveBotRemoval(context, "slack", { teamId, eventId, reason: "uninstalled" });
  } else if (event.type === "tokens_revoked") {
    const revoked = revocation.safeParse(event);
    if (!revoked.success || (revoked.data.tokens.bot ?? []).length === 0) return;
    await receiveBotRemoval(context, "slack", { teamId, eventId, reason: "revoked" });
  } else if (event.type === "app_home_opened") {
    await handleHome(context, event, about);
  } else if (event.type === "agent_session_stopped") {
    await handleStop(context, event, about);
  } else {
    const parsed = message.safeParse(event);
    if (parsed.success) await handleMessage(context, parsed.data, about);
    else await handleChange(context, event, about);
  }
}

async function handleHome(context: Context, event: object, about: About): Promise<void> {
  const opened = homeOpened.safeParse(event);
  if (!opened.success) return;
  const { teamId, fromTeamId } = about;
  const { user: chatUserId, tab, view } = opened.data;
  const isExternal = fromTeamId !== undefined && fromTeamId !== teamId;
  const person = { teamId, chatUserId, isExternal };
  if (tab === "home") {
    await receiveHomeOpening(context, "slack", { ...person, hash: view?.hash });
  } else if (tab === "messages" && opened.data.channel !== undefined) {
    await receiveHomeOpening(context, "slack", { ...person, channel: opened.data.channel });
  }
}

/** Handles the Stop button that Slack shows while an agent works. */
async function handleStop(context: Context, event: object, about: About): Promise<void> {
  const stop = sessionStopped.safeParse(event);
  if (!stop.success) return;
  const { teamId, eventId, fromTeamId } = about;
  const { user: chatUserId, channel, thread_ts: thread, event_ts: messageId } = stop.data;
  const isExternal = fromTeamId !== undefined && fromTeamId !== teamId;
  const where = { teamId, channel, thread, messageId };
  await receiveStop(context, "slack", { ...where, chatUserId, isExternal, eventId });
}

async function handleMessage(context: Context, given: Message, about: About): Promise<void> {
  const { teamId, eventId, botUserId } = about;
  const isBot = given.bot_id != null || given.user === botUserId || given.user === "USLACKBOT";
  if (isBot || !written.has(given.subtype)) return;
  const threadRef = { channel: given.channel, thread: given.thread_ts ?? given.ts };
  const threadMessage = {
    ...threadRef,
    teamId,
    messageId: given.ts,
    chatUserId: given.user,
    text: readSlackText(given.text, botUserId),
    files: toChatFiles(given.files),
  };
  const isExternal = isFromExternalUser(given, about);
  const isGroup = given.channel_type === "mpim";
  // Conversations of several people have no event of their own for a mention.
  const isMention = isGroup && botUserId !== undefined && given.text.includes(`<@${botUserId}>`);
  if (given.type === "message" && given.channel_type !== "im" && !isMention) {
    if (given.thread_ts !== undefined)
      await recordThreadMessage(context, "slack", { ...threadMessage, eventId, isExternal });
    return;
  }
  const isDirect = given.channel_type === "im" && given.thread_ts === undefined;
  const received = { ...threadMessage, eventId, isExternal, isDirect };
  await receiveMessage(context, "slack", received);
}

/** Whether the event marks the author as a guest or a member of another team. */
function isFromExternalUser(given: Message, { teamId, fromTeamId }: About): boolean {
  const { team, user_team: userTeam, source_team: sourceTeam, user_profile: profile } = given;
  const teams = [fromTeamId, team, userTeam, sourceTeam, profile?.team];
  return (
    teams.some((one) => one != null && one !== teamId) ||
    profile?.is_restricted === true ||
    profile?.is_ultra_restricted === true
  );
}

/** Applies an edit or deletion to the stored message. An answered request stays answered. */
async function handleChange(context: Context, event: object, about: About): Promise<void> {
  const { teamId, botUserId } = about;
  const edit = changed.safeParse(event);
  if (edit.success) {
    const { channel, message: now } = edit.data;
    const text = readSlackText(now.text, botUserId);
    await recordMessageEdit(context, "slack", { teamId, channel, messageId: now.ts, text });
  }
  const deletion = deleted.safeParse(event);
  if (deletion.success) {
    const { channel, deleted_ts: messageId } = deletion.data;
    await recordMessageEdit(context, "slack", { teamId, channel, messageId, text: null });
  }
}
