import { randomUUID } from "node:crypto";
import { agentMethods } from "./fake-slack-agent.ts";
import { checkMessageBlocks } from "./fake-slack-blocks.ts";
import type { Problem } from "./fake-slack-blocks.ts";
import { pageOf, pageSize, withReplies } from "./fake-slack-pages.ts";
import { slackId } from "./fake-slack-team.ts";
import { viewMethods } from "./fake-slack-views.ts";
import type { FakeMessage, FakeTeam } from "./fake-slack-team.ts";

type Args = Readonly<Record<string, unknown>>;
/** The response of a method without `ok`, its error, or an error that only a faulty client causes. */
type Answer = Record<string, unknown> | string | Problem;

/** The methods of Slack's Web API that a bot calls, for the team of its token. Strict where Slack is. */
export function callMethod(team: FakeTeam, method: string, args: Args, baseUrl: string): Answer {
  const run = methods[method];
  if (run === undefined) return { error: "unknown_method", why: method };
  const scope = scopes[method];
  if (scope !== undefined && !team.scopes.has(scope)) return "missing_scope";
  if (channelMethods.has(method)) {
    const channel = args["channel"] ?? args["channel_id"];
    const isDirect = method === "chat.postMessage" && team.users.has(String(channel));
    if (typeof channel !== "string") return "channel_not_found";
    const isKnown = team.channels.has(channel) || team.users.has(`U${channel.slice(1)}`);
    if (!isDirect && !isKnown) return "channel_not_found";
    const history = historyScopes[channel.charAt(0)];
    const readsHistory = method === "conversations.replies" || method === "conversations.history";
    const isGroup = team.groups.has(channel);
    const needed = isGroup ? "mpim:history" : history;
    if (readsHistory && needed !== undefined && !team.scopes.has(needed)) return "missing_scope";
  }
  return run(team, args, baseUrl);
}

const channelMethods = new Set([
  "agents.sessions.setStatus",
  "assistant.threads.setStatus",
  "assistant.threads.setSuggestedPrompts",
  "chat.appendStream",
  "chat.postMessage",
  "chat.postEphemeral",
  "chat.startStream",
  "chat.stopStream",
  "chat.update",
  "chat.getPermalink",
  "conversations.history",
  "conversations.replies",
  "reactions.add",
  "reactions.remove",
]);

/** The scope of a bot token that each method requires. */
const scopes: Readonly<Record<string, string>> = {
  "agents.sessions.setStatus": "chat:write",
  "assistant.threads.setStatus": "chat:write",
  "assistant.threads.setSuggestedPrompts": "assistant:write",
  "chat.appendStream": "chat:write",
  "chat.startStream": "chat:write",
  "chat.stopStream": "chat:write",
  "chat.postMessage": "chat:write",
  "chat.postEphemeral": "chat:write",
  "chat.update": "chat:write",
  "files.info": "files:read",
  "files.getUploadURLExternal": "files:write",
  "files.completeUploadExternal": "files:write",
  "reactions.add": "reactions:write",
  "reactions.remove": "reactions:write",
  "users.info": "users:read",
};

/** The scopes for reading each kind of conversation, by the first letter of its ID. */
const historyScopes: Readonly<Record<string, string>> = {
  C: "channels:history",
  G: "groups:history",
  D: "im:history",
};

const methods: Readonly<Record<string, (team: FakeTeam, args: Args, baseUrl: string) => Answer>> = {
  ...agentMethods,
  "auth.test": (team) => ({ team_id: team.id, user_id: team.botUserId, bot_id: team.botId }),
  "auth.revoke": (team) => {
    team.token = undefined;
    return { revoked: true };
  },
  "reactions.add": (team, args) => {
    const message = findMessage(team, args, "timestamp");
    if (message === undefined) return "message_not_found";
    const name = text(args, "name");
    if (!reactions.has(name)) return { error: "invalid_name", why: name };
    if (message.reactions.includes(name)) return "already_reacted";
    message.reactions.push(name);
    return {};
  },
  "reactions.remove": (team, args) => {
    const message = findMessage(team, args, "timestamp");
    if (message === undefined) return "message_not_found";
    const name = text(args, "name");
    if (!message.reactions.includes(name)) return "no_reaction";
    message.reactions = message.reactions.filter((one) => one !== name);
    return {};
  },
  "chat.postMessage": (team, args) => {
    const problem = checkContent(args);
    if (problem !== undefined) return problem;
    const ts = team.nextTs();
    const channel = text(args, "channel");
    const message: FakeMessage = {
      ts,
      // A message to a user is in the conversation with them.
      channel: team.users.has(channel) ? directChannel(channel) : channel,
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
    const { thread_ts: thread = "" } = message;
    const isBusy = (team.statuses.findLast((one) => one.thread === thread)?.status ?? "") !== "";
    if (isBusy) team.statuses.push({ thread, status: "", loading: [] });
    return { channel: message.channel, ts, message };
  },
  "chat.update": (team, args) => {
    const problem = checkContent(args, maxUpdatedText);
    const message = findMessage(team, args, "ts");
    if (message === undefined) return "message_not_found";
    if (message.user !== team.botUserId) return "cant_update_message";
    if (message.stream === "open") return "streaming_state_conflict";
    if (problem !== undefined) return problem;
    Object.assign(message, { text: text(args, "text"), blocks: list(args, "blocks") });
    if (args["metadata"] !== undefined) {
      message.metadata = parsed(args, "metadata") as NonNullable<FakeMessage["metadata"]>;
    }
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
    const ts = team.nextTs();
    team.ephemerals.push({ ts, channel, user, text: said, blocks: list(args, "blocks") });
    return { message_ts: ts };
  },
  "chat.getPermalink": (team, args) => {
    const message = findMessage(team, args, "message_ts");
    if (message === undefined) return "message_not_found";
    const { channel, ts } = message;
    const permalink = `https://fake.slack.com/archives/${channel}/p${ts.replace(".", "")}`;
    return { channel, permalink };
  },
  "conversations.replies": (team, args) => {
    const ts = text(args, "ts");
    const all = team.messages.filter((one) => one.ts === ts || one.thread_ts === ts);
    if (all.length === 0) return "thread_not_found";
    return pageOf(team, all, args);
  },
  "conversations.history": (team, args) => {
    const latest = text(args, "latest");
    const isInclusive = String(args["inclusive"]) === "true";
    const found = team.messages
      .filter(({ channel, thread_ts }) => channel === args["channel"] && thread_ts === undefined)
      .filter(({ ts }) => latest === "" || ts < latest || (isInclusive && ts === latest))
      .toReversed();
    const size = pageSize(team, args, 100);
    const messages = found.slice(0, size).map((message) => withReplies(team, message));
    return { messages, has_more: size < found.length };
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
  ...viewMethods,
  "files.info": (team, args, baseUrl) => {
    const file = team.files.get(text(args, "file"));
    if (file === undefined) return "file_not_found";
    const { id, name, mimetype, url = `${baseUrl}/files/${id}` } = file;
    const { body, size = body.length } = file;
    return { file: { id, name, mimetype, size, url_private_download: url } };
  },
  "files.getUploadURLExternal": (team, args, baseUrl) => {
    if (!(Number(args["length"]) > 0)) return { error: "invalid_arguments", why: "length" };
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
      files: files.map(({ id }) => ({ id })),
      reactions: [],
      edits: 0,
    });
    return { files };
  },
};

function findMessage(team: FakeTeam, args: Args, key: string): FakeMessage | undefined {
  return team.messages.find(({ ts, channel }) => ts === args[key] && channel === args["channel"]);
}

const reactions = new Set(["eyes", "white_check_mark", "x"]);
const maxText = 40_000;
const maxUpdatedText = 4_000;

/** The conversation of the bot with a user. */
function directChannel(user: string): string {
  return `D${user.slice(1)}`;
}

/** Why Slack would reject the content of a message. */
function checkContent(args: Args, most = maxText): Problem | undefined {
  const said = text(args, "text");
  const blocks = list(args, "blocks");
  if (said === "" && blocks.length === 0) return { error: "no_text", why: "" };
  if (said.length > most) return { error: "msg_too_long", why: `${said.length} characters` };
  return checkMessageBlocks(blocks);
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
