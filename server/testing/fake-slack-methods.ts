import { randomUUID } from "node:crypto";
import { slackId } from "./fake-slack-team.ts";
import type { FakeMessage, FakeTeam } from "./fake-slack-team.ts";

type Args = Readonly<Record<string, unknown>>;
/** The response of a method without `ok`, or its error. */
type Answer = Record<string, unknown> | string;

/** The methods of Slack's Web API that a bot calls, for the team of its token. Strict where Slack is. */
export function callMethod(team: FakeTeam, method: string, args: Args, baseUrl: string): Answer {
  const run = methods[method];
  if (run === undefined) return "unknown_method";
  if (channelMethods.has(method)) {
    if (typeof args["channel"] !== "string" || !team.channels.has(args["channel"])) {
      return "channel_not_found";
    }
  }
  return run(team, args, baseUrl);
}

const channelMethods = new Set([
  "chat.postMessage",
  "chat.postEphemeral",
  "chat.update",
  "conversations.history",
  "conversations.replies",
  "reactions.add",
]);

const blockTypes = new Set([
  "actions",
  "divider",
  "header",
  "image",
  "input",
  "markdown",
  "rich_text",
  "section",
  "table",
]);

const methods: Readonly<Record<string, (team: FakeTeam, args: Args, baseUrl: string) => Answer>> = {
  "auth.test": (team) => ({ team_id: team.id, user_id: team.botUserId, bot_id: team.botId }),
  "auth.revoke": (team) => {
    team.token = undefined;
    return { revoked: true };
  },
  "reactions.add": (team, args) => {
    const message = findMessage(team, args, "timestamp");
    if (message === undefined) return "message_not_found";
    const name = text(args, "name");
    if (message.reactions.includes(name)) return "already_reacted";
    message.reactions.push(name);
    return {};
  },
  "chat.postMessage": (team, args) => {
    const problem = checkContent(args);
    if (problem !== undefined) return problem;
    const ts = team.nextTs();
    const message: FakeMessage = {
      ts,
      channel: text(args, "channel"),
      user: team.botUserId,
      bot_id: team.botId,
      text: text(args, "text"),
      blocks: list(args, "blocks"),
      reactions: [],
      edits: 0,
      ...(args["thread_ts"] === undefined ? {} : { thread_ts: text(args, "thread_ts") }),
      ...(args["metadata"] === undefined
        ? {}
        : { metadata: parsed(args, "metadata") as NonNullable<FakeMessage["metadata"]> }),
    };
    team.messages.push(message);
    return { channel: message.channel, ts, message };
  },
  "chat.update": (team, args) => {
    const problem = checkContent(args);
    const message = findMessage(team, args, "ts");
    if (message === undefined) return "message_not_found";
    if (message.user !== team.botUserId) return "cant_update_message";
    if (problem !== undefined) return problem;
    Object.assign(message, { text: text(args, "text"), blocks: list(args, "blocks") });
    message.edits += 1;
    return { channel: message.channel, ts: message.ts };
  },
  "chat.postEphemeral": (team, args) => {
    const problem = checkContent(args);
    if (problem !== undefined) return problem;
    const user = text(args, "user");
    if (!team.users.has(user)) return "user_not_in_channel";
    const thread = text(args, "thread_ts");
    const isActive = team.messages.some(({ thread_ts }) => thread_ts === thread);
    // Slack accepts messages to a thread without replies, and shows them nowhere.
    if (thread !== "" && !isActive) return { message_ts: team.nextTs() };
    const [channel, said] = [text(args, "channel"), text(args, "text")];
    team.ephemerals.push({ channel, user, text: said, blocks: list(args, "blocks") });
    return { message_ts: team.nextTs() };
  },
  "conversations.replies": (team, args) => {
    const ts = text(args, "ts");
    const all = team.messages.filter((one) => one.ts === ts || one.thread_ts === ts);
    if (all.length === 0) return "thread_not_found";
    const found = all.filter(
      (one) =>
        (args["oldest"] === undefined || one.ts >= text(args, "oldest")) &&
        (args["latest"] === undefined || one.ts <= text(args, "latest")),
    );
    const hasMetadata = String(args["include_all_metadata"]) === "true";
    const messages = found
      .slice(0, Number(args["limit"] ?? 1_000))
      .map(({ metadata, ...rest }) => (hasMetadata ? { ...rest, metadata } : rest));
    return { messages, has_more: messages.length < found.length };
  },
  "conversations.history": (team, args) => {
    const found = team.messages
      .filter(({ channel, thread_ts }) => channel === args["channel"] && thread_ts === undefined)
      .toReversed();
    return { messages: found.slice(0, Number(args["limit"] ?? 100)), has_more: false };
  },
  "users.info": (team, args) => {
    const user = team.users.get(text(args, "user"));
    if (user === undefined) return "user_not_found";
    const { id, team_id, name, email, isEmailConfirmed, isBot, flags } = user;
    const profile = { email, display_name: name };
    const member = {
      deleted: false,
      is_bot: isBot,
      is_restricted: false,
      is_ultra_restricted: false,
      is_app_user: false,
      is_email_confirmed: isEmailConfirmed,
    };
    return { user: { id, team_id, name, profile, ...member, ...flags } };
  },
  "views.open": (team, args) => {
    const trigger = text(args, "trigger_id");
    if (trigger === "") return "invalid_arguments";
    if (team.views.some((view) => view.trigger === trigger)) return "exchanged_trigger_id";
    const view = parsed(args, "view") as Record<string, unknown>;
    team.views.push({ trigger, view: { ...view, id: slackId("V") } });
    return { view };
  },
  "files.info": (team, args, baseUrl) => {
    const file = team.files.get(text(args, "file"));
    if (file === undefined) return "file_not_found";
    const { id, name, mimetype, url = `${baseUrl}/files/${id}` } = file;
    const { body, size = body.length } = file;
    return { file: { id, name, mimetype, size, url_private_download: url } };
  },
  "files.getUploadURLExternal": (team, args, baseUrl) => {
    const id = slackId("F");
    const [name, body] = [text(args, "filename"), Buffer.alloc(0)];
    team.files.set(id, { id, name, mimetype: "application/octet-stream", body });
    const url = team.uploadUrl ?? `${baseUrl}/upload/${id}?once=${randomUUID()}`;
    return { file_id: id, upload_url: url };
  },
  "files.completeUploadExternal": (team, args) => {
    const files = list(args, "files") as { id: string; title: string }[];
    if (files.some(({ id }) => !team.files.has(id))) return "file_not_found";
    team.messages.push({
      ts: team.nextTs(),
      thread_ts: text(args, "thread_ts"),
      channel: text(args, "channel_id"),
      user: team.botUserId,
      bot_id: team.botId,
      text: files.map(({ title }) => `file: ${title}`).join(" "),
      reactions: [],
      edits: 0,
    });
    return { files };
  },
};

function findMessage(team: FakeTeam, args: Args, key: string): FakeMessage | undefined {
  return team.messages.find(({ ts, channel }) => ts === args[key] && channel === args["channel"]);
}

/** Why Slack would reject the content of a message. */
function checkContent(args: Args): string | undefined {
  const blocks = list(args, "blocks") as { type?: unknown }[];
  const said = text(args, "text");
  if (said === "" && blocks.length === 0) return "no_text";
  if (said.length > 40_000) return "msg_too_long";
  const isKnown = blocks.every(({ type }) => typeof type === "string" && blockTypes.has(type));
  if (blocks.length > 50 || !isKnown || /"text":""/.test(JSON.stringify(blocks))) {
    return "invalid_blocks";
  }
  return undefined;
}

function text(args: Args, key: string): string {
  const value = args[key];
  return typeof value === "string" ? value : "";
}

function parsed(args: Args, key: string): unknown {
  const value = args[key];
  return typeof value === "string" ? (JSON.parse(value) as unknown) : value;
}

function list(args: Args, key: string): unknown[] {
  const value = parsed(args, key) ?? [];
  return Array.isArray(value) ? value : [];
}
