import { checkMessageBlocks } from "./fake-slack-blocks.ts";
import type { Problem } from "./fake-slack-blocks.ts";
import type { FakeMessage, FakeTeam } from "./fake-slack-team.ts";

type Args = Readonly<Record<string, unknown>>;
type Answer = Record<string, unknown> | string | Problem;

const maxStreamText = 12_000;
const maxLoadingMessages = 10;
const maxLoadingLength = 50;
const maxPrompts = 4;
const maxTitle = 200;
const sessionStates = new Set(["active", "processing", "suspended", "closed"]);

/** The methods for agents and for streamed messages. */
export const agentMethods: Readonly<Record<string, (team: FakeTeam, args: Args) => Answer>> = {
  "assistant.threads.setStatus": (team, args) => {
    const problem =
      unknownArguments(args, ["channel_id", "thread_ts", "status", "loading_messages"]) ??
      threadProblem(team, args, "channel_id");
    if (problem !== undefined) return problem;
    const status = text(args, "status");
    const loading = list(args, "loading_messages");
    const areShort = loading.every(
      (one) => typeof one === "string" && one !== "" && one.length <= maxLoadingLength,
    );
    if (args["status"] === undefined || loading.length > maxLoadingMessages || !areShort) {
      return { error: "invalid_arguments", why: JSON.stringify(args) };
    }
    const thread = text(args, "thread_ts");
    team.statuses.push({ thread, status, loading: loading.map(String) });
    return {};
  },
  "assistant.threads.setSuggestedPrompts": (team, args) => {
    const channel = text(args, "channel_id");
    const prompts = list(args, "prompts") as { title?: string; message?: string }[];
    const areWhole = prompts.every(
      ({ title = "", message = "" }) => title !== "" && message !== "",
    );
    if (prompts.length < 1 || prompts.length > maxPrompts || !areWhole) {
      return { error: "invalid_arguments", why: JSON.stringify(args) };
    }
    // Slack accepts a thread from an agent, and shows nothing.
    if (team.isAgent === (args["thread_ts"] !== undefined)) {
      return { error: "invalid_thread_ts", why: "the prompts are shown nowhere" };
    }
    team.prompts.push({ channel, title: text(args, "title"), prompts });
    return {};
  },
  "agents.sessions.setStatus": (team, args) => {
    if (!team.isAgent) return "not_authorized";
    const status = text(args, "status");
    const initiator = args["initiator_user_id"];
    const problem = threadProblem(team, args, "channel_id");
    if (problem !== undefined) return problem;
    const isKnown = initiator === undefined || team.users.has(text(args, "initiator_user_id"));
    if (!sessionStates.has(status) || text(args, "title").length > maxTitle || !isKnown) {
      return { error: "invalid_arguments", why: JSON.stringify(args) };
    }
    team.sessions.set(text(args, "thread_ts"), status);
    return { status };
  },
  "chat.startStream": (team, args) => {
    const problem = threadProblem(team, args, "channel") ?? wordsProblem(args);
    if (problem !== undefined) return problem;
    const channel = text(args, "channel");
    const [recipient, ofTeam] = [text(args, "recipient_user_id"), text(args, "recipient_team_id")];
    if (!channel.startsWith("D")) {
      if (recipient === "") return { error: "missing_recipient_user_id", why: channel };
      if (ofTeam === "") return { error: "missing_recipient_team_id", why: channel };
      if (!team.users.has(recipient)) return { error: "user_not_found", why: recipient };
    }
    const ts = team.nextTs();
    const words = text(args, "markdown_text");
    team.messages.push({
      ts,
      thread_ts: text(args, "thread_ts"),
      channel,
      user: team.botUserId,
      bot_id: team.botId,
      text: words,
      blocks: [{ type: "markdown", text: words }],
      reactions: [],
      edits: 0,
      stream: "open",
    });
    return { channel, ts };
  },
  "chat.appendStream": (team, args) => {
    const message = openStream(team, args);
    if (typeof message === "string") return message;
    const problem = wordsProblem(args);
    if (problem !== undefined) return problem;
    append(message, text(args, "markdown_text"));
    return { channel: message.channel, ts: message.ts };
  },
  "chat.stopStream": (team, args) => {
    const message = openStream(team, args);
    if (typeof message === "string") return message;
    const words = text(args, "markdown_text");
    if (words.length > maxStreamText) return { error: "msg_too_long", why: `${words.length}` };
    const blocks = list(args, "blocks");
    const problem = checkMessageBlocks(blocks);
    if (problem !== undefined) return problem;
    append(message, words);
    Object.assign(message, { stream: "closed", blocks: [...(message.blocks ?? []), ...blocks] });
    if (args["metadata"] !== undefined) {
      message.metadata = parsed(args, "metadata") as NonNullable<FakeMessage["metadata"]>;
    }
    team.sessions.set(message.thread_ts ?? "", "active");
    return { channel: message.channel, ts: message.ts };
  },
};

/** Closes the open streams of a thread, as Slack does after five minutes, or when someone presses Stop. */
export function closeStreams(team: FakeTeam, thread: string, by: "closed" | "stopped"): string[] {
  const open = team.messages.filter(
    ({ thread_ts, stream }) => thread_ts === thread && stream === "open",
  );
  for (const message of open) message.stream = by;
  return open.map(({ ts }) => ts);
}

function openStream(team: FakeTeam, args: Args): FakeMessage | string {
  const message = team.messages.find(
    ({ ts, channel }) => ts === args["ts"] && channel === args["channel"],
  );
  if (message === undefined) return "message_not_found";
  if (message.user !== team.botUserId) return "message_not_owned_by_app";
  if (message.stream === "stopped") return "stopped_by_user";
  return message.stream === "open" ? message : "message_not_in_streaming_state";
}

function append(message: FakeMessage, words: string): void {
  message.text += words;
  message.blocks = [{ type: "markdown", text: message.text }];
}

/** The first message of a thread may be gone, but a reply never starts one. */
function threadProblem(
  team: FakeTeam,
  args: Args,
  channelKey: string,
): Problem | string | undefined {
  const [channel, thread] = [text(args, channelKey), text(args, "thread_ts")];
  const first = team.messages.find((one) => one.channel === channel && one.ts === thread);
  if (thread === "" || first?.thread_ts !== undefined) {
    return { error: "invalid_thread_ts", why: `${channel} ${thread}` };
  }
  return first === undefined ? "invalid_thread_ts" : undefined;
}

function wordsProblem(args: Args): Problem | undefined {
  const words = text(args, "markdown_text");
  if (args["chunks"] !== undefined) {
    return { error: "cannot_provide_both_markdown_text_and_chunks", why: "chunks" };
  }
  if (words.trim() === "") return { error: "no_text", why: "" };
  // Slack drops white space where two parts meet.
  if (/^\s/.test(words)) return { error: "lost_white_space", why: words.slice(0, 20) };
  if (words.length <= maxStreamText) return undefined;
  return { error: "msg_too_long", why: `${words.length} characters` };
}

function unknownArguments(args: Args, known: readonly string[]): Problem | undefined {
  const other = Object.keys(args).find((key) => !known.includes(key));
  return other === undefined ? undefined : { error: "invalid_arguments", why: other };
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
