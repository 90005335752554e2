import { snowflake, whatIsWrong, whatIsWrongInModal } from "./fake-discord-guild.ts";
import type { FakeGateway } from "./fake-discord-gateway.ts";
import type { FakeComponent, FakeGuild, FakeInteraction, FakePost } from "./fake-discord-guild.ts";

/** A fault of some requests. */
export type DiscordFault = {
  method: string;
  path: RegExp;
  times: number;
  status: number;
  code?: number;
  retryAfter?: number;
  /** The request takes effect, and only the response is lost. */
  isDone?: boolean;
};

/** The state of the fake. */
export type DiscordState = {
  baseUrl: string;
  applicationId: string;
  botUserId: string;
  botToken: string;
  clientSecret: string;
  guilds: Map<string, FakeGuild>;
  codes: Map<string, { guild: FakeGuild; redirectUri: string; scope: string }>;
  interactions: Map<string, FakeInteraction>;
  /** Conversations with one user, by their channel. */
  direct: Map<string, string>;
  files: Map<string, { name: string; type: string; body: Buffer }>;
  faults: DiscordFault[];
  /** Requests for files that had a token. */
  leaks: string[];
  gateway: FakeGateway;
};

/** A response of Discord. */
export type Said = { status: number; body?: unknown; headers?: Record<string, string> };
/** A received request. */
export type Asked = {
  method: string;
  path: string[];
  url: URL;
  body: Record<string, unknown>;
  files: FakePost["files"];
  authorization: string;
};

/** An error response of Discord. */
export function no(status: number, code: number): Said {
  return { status, body: { message: "no", code } };
}

type New = {
  channel: string;
  body: Record<string, unknown>;
  files: FakePost["files"];
  onlyTo?: string;
};

/** Puts a message of the bot into a channel. */
export function put(
  state: DiscordState,
  guild: FakeGuild,
  { channel, body, files, onlyTo }: New,
): Said {
  const post: FakePost = {
    id: snowflake(),
    channel,
    author: { id: state.botUserId },
    content: "",
    components: componentsIn(body),
    allowedMentions: body["allowed_mentions"] as FakePost["allowedMentions"],
    edits: 0,
    files,
    ...(typeof body["nonce"] === "string" ? { nonce: body["nonce"] } : {}),
    ...(onlyTo === undefined ? {} : { onlyTo }),
    ...referredIn(body),
  };
  guild.posts.push(post);
  return { status: 200, body: post };
}

function componentsIn(body: Record<string, unknown>): FakeComponent[] {
  return (body["components"] as FakeComponent[] | undefined) ?? [];
}

function referredIn(body: Record<string, unknown>): { replyTo?: string } {
  const reference = body["message_reference"] as { message_id: string } | undefined;
  return reference === undefined ? {} : { replyTo: reference.message_id };
}

/** Replaces the content of a message. */
export function change(
  post: FakePost,
  body: Record<string, unknown>,
  files: FakePost["files"],
): Said {
  post.components = componentsIn(body);
  post.files = files;
  post.edits += 1;
  return { status: 200, body: post };
}

/** Handles the first response to an interaction, whether it was a separate request or the HTTP response. */
export function takeResponse(
  state: DiscordState,
  interaction: FakeInteraction,
  response: { type: number; data?: Record<string, unknown> },
): string | undefined {
  const { type, data = {} } = response;
  if (interaction.type !== undefined) return "answered twice";
  const wrong = type === 9 ? whatIsWrongInModal(data) : type === 4 ? whatIsWrong(data) : undefined;
  if (wrong !== undefined) return wrong;
  interaction.type = type;
  if (type === 9) interaction.modal = data as FakeComponent;
  if (type === 5) interaction.isPlaceholder = true;
  if (type === 4) {
    const { guild, channel, user } = interaction;
    const isPrivate = (Number(data["flags"]) & 64) !== 0;
    put(state, guild, { channel, body: data, files: [], ...(isPrivate ? { onlyTo: user } : {}) });
  }
  return undefined;
}

/** Handles the first response as a separate request. */
export function callBack(state: DiscordState, { path: [id = "", token = ""], body }: Asked): Said {
  const interaction = state.interactions.get(id);
  if (interaction?.token !== token || interaction.isOver) return no(404, 10_062);
  const wrong = takeResponse(state, interaction, body as { type: number });
  return wrong === undefined ? { status: 204 } : no(400, 50_035);
}

/** Handles later responses to an interaction. */
export function answerInteraction(state: DiscordState, { method, path, body, files }: Asked): Said {
  const [, applicationId, token, , messageId] = path;
  const interaction = [...state.interactions.values()].find((one) => one.token === token);
  if (interaction === undefined || applicationId !== state.applicationId) return no(404, 10_015);
  if (interaction.isOver) return no(401, 50_027);
  const { guild, channel, user, original, isPlaceholder } = interaction;
  if (method === "GET") {
    const waiting = { id: interaction.id, author: { id: state.botUserId }, components: [] };
    return { status: 200, body: original ?? waiting };
  }
  if (whatIsWrong(body) !== undefined) return no(400, 50_035);
  const isFirst = isPlaceholder && original === undefined;
  if (method === "PATCH") {
    if (messageId === "@original" && isFirst) {
      const said = put(state, guild, { channel, body, files });
      interaction.original = said.body as FakePost;
      return said;
    }
    const isOriginal = messageId === "@original" || messageId === original?.id;
    return original === undefined || !isOriginal ? no(404, 10_008) : change(original, body, files);
  }
  // The first follow-up after a placeholder has the placeholder's visibility.
  const isPrivate = (Number(body["flags"]) & 64) !== 0 && !isFirst;
  return put(state, guild, { channel, body, files, ...(isPrivate ? { onlyTo: user } : {}) });
}
