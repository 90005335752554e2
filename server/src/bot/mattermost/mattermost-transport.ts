import { z } from "zod";
import { ChatError } from "#core/chat";
import type { ChatBlock, ChatProfile, ChatTeam, PlatformTransport } from "#core/chat";
import type { CallMattermost } from "./mattermost-call.ts";
import { createMattermostCall } from "./mattermost-call.ts";
import { downloadMattermostFile, uploadMattermostFile } from "./mattermost-files.ts";
import { markProperty, showsWhole, toMattermostMessage } from "./mattermost-message.ts";
import type { Rendering } from "./mattermost-message.ts";
import { id, post, toChatFiles, toMessageId, toPostId } from "./mattermost-post.ts";
import type { Post } from "./mattermost-post.ts";

export type MattermostSettings = Rendering & { serverUrl: string };

/** The transport into the Mattermost server. */
export function openMattermost(
  settings: MattermostSettings,
  { botUserId }: ChatTeam,
): PlatformTransport {
  const call = createMattermostCall(settings.serverUrl, settings.botToken);
  return {
    ...createReactions(call, botUserId),
    ...createPosts(settings, call, botUserId),
    ...createReading(call, botUserId),
    setStatus: async ({ channel, thread }, _, status) => {
      if (status === undefined) return;
      const body = { channel_id: channel, parent_id: toPostId(thread) };
      const path = `api/v4/users/${botUserId}/typing`;
      await call.json(`POST ${path}`, body);
    },
    findProfile: (user) => findProfile(call, user),
    downloadFile: (file, maxBytes) => downloadMattermostFile(call, file.id, maxBytes),
    uploadFile: (threadRef, file) => uploadMattermostFile(call, threadRef, file),
    check: async () => {
      await call.json("GET api/v4/users/me");
    },
    showsWhole,
    // The token is a setting of this server.
    revoke: async () => undefined,
  };
}

type Part<Name extends keyof PlatformTransport> = Required<Pick<PlatformTransport, Name>>;

function createPosts(
  settings: MattermostSettings,
  call: CallMattermost,
  botUserId: string,
): Part<"post" | "postToChannel" | "update" | "postEphemeral" | "postPrivately"> {
  const create = async (body: object) =>
    toMessageId(post.parse(await call.json("POST api/v4/posts", body)));
  const postDirectly = async (user: string, blocks: readonly ChatBlock[]) => {
    const channel_id = await openDirect(call, botUserId, user);
    const content = toMattermostMessage(settings, blocks);
    await create({ channel_id, ...content });
  };
  // Mattermost returns the first message for a repeated post with the same ID.
  const onlyOnce = (mark: string) => ({ pending_post_id: `${botUserId}:${mark}` });
  return {
    post: async ({ channel, thread }, { blocks, mark, notify }) => {
      const mention = notify === undefined ? undefined : await findUsername(call, notify);
      const content = toMattermostMessage(settings, blocks, { mark, mention });
      const where = { channel_id: channel, root_id: toPostId(thread) };
      return create({ ...where, ...onlyOnce(mark), ...content });
    },
    postToChannel: async (channel, { blocks, mark }, isRetry) => {
      const path = `channels/${encodeURIComponent(channel)}/posts?per_page=${pageSize}`;
      if (isRetry && (await readPosts(call, path)).some(isMarked(botUserId, mark))) return;
      const content = toMattermostMessage(settings, blocks, { mark });
      await create({ channel_id: channel, ...onlyOnce(mark), ...content });
    },
    update: async (_, { messageId, blocks, mark }) => {
      const path = `api/v4/posts/${encodeURIComponent(toPostId(messageId))}/patch`;
      const body = toMattermostMessage(settings, blocks, { mark });
      await call.json(`PUT ${path}`, body);
    },
    postEphemeral: async ({ channel, thread = "" }, user, blocks) => {
      const content = toMattermostMessage(settings, blocks);
      const shown = { channel_id: channel, root_id: toPostId(thread), ...content };
      const body = { user_id: user, post: shown };
      try {
        await call.json("POST api/v4/posts/ephemeral", body);
      } catch (error) {
        // Bots may not, unless an admin grants them `create_post_ephemeral`.
        if (!(error instanceof ChatError) || error.failure !== "gone") throw error;
        await postDirectly(user, blocks);
      }
    },
    postPrivately: (_, user, blocks) => postDirectly(user, blocks),
  };
}

function createReading(call: CallMattermost, botUserId: string): Part<"findMarked" | "readThread"> {
  return {
    findMarked: async ({ thread }, mark) => {
      const found = (await readPosts(call, threadPath(thread))).find(isMarked(botUserId, mark));
      return found === undefined ? undefined : toMessageId(found);
    },
    readThread: async ({ thread }, { before, limit }) => {
      const earlier = (await readPosts(call, threadPath(thread))).filter(
        (one) => toMessageId(one) < before,
      );
      const [root, ...replies] = earlier;
      const newest = replies.slice(Math.max(0, replies.length - limit + 1));
      const messages = (root === undefined ? [] : [root, ...newest]).map((one) => ({
        messageId: toMessageId(one),
        author: one.user_id === botUserId ? "bot" : one.user_id,
        text: one.message,
        // What the bot uploaded is not input.
        ...(one.user_id === botUserId ? {} : { files: toChatFiles(one) }),
      }));
      return { messages, isComplete: true };
    },
  };
}

function createReactions(call: CallMattermost, botUserId: string): Part<"acknowledge" | "finish"> {
  const add = async (messageId: string, emoji: string) => {
    const body = { user_id: botUserId, post_id: toPostId(messageId), emoji_name: emoji };
    await call.json("POST api/v4/reactions", body);
  };
  return {
    acknowledge: ({ messageId }) => add(messageId, "eyes"),
    finish: async ({ messageId }, outcome) => {
      if (outcome !== undefined)
        await add(messageId, outcome === "succeeded" ? "white_check_mark" : "x");
      const path = `api/v4/users/${botUserId}/posts/${encodeURIComponent(toPostId(messageId))}/reactions/eyes`;
      await call.json(`DELETE ${path}`);
    },
  };
}

/** The posts of a channel or thread that are read. */
const pageSize = 60;

const list = z.object({ posts: z.record(z.string(), post) });

/** The messages of a thread or channel, oldest first. */
async function readPosts(call: CallMattermost, path: string): Promise<Post[]> {
  return Object.values(list.parse(await call.json(`GET api/v4/${path}`)).posts)
    .filter(({ delete_at: deletedAt }) => deletedAt === 0)
    .toSorted((one, other) => (toMessageId(one) < toMessageId(other) ? -1 : 1));
}

/** The first message of a thread and its newest ones. */
function threadPath(thread: string): string {
  return `posts/${encodeURIComponent(toPostId(thread))}/thread?perPage=${pageSize}&direction=up`;
}

/** Anyone can set properties, so only the bot's own messages count. */
function isMarked(botUserId: string, mark: string) {
  return ({ user_id: user, props }: Post) => user === botUserId && props?.[markProperty] === mark;
}

const channel = z.object({ id });

async function openDirect(call: CallMattermost, botUserId: string, user: string): Promise<string> {
  return channel.parse(await call.json("POST api/v4/channels/direct", [botUserId, user])).id;
}

const user = z.object({
  id,
  username: z.string(),
  nickname: z.string().default(""),
  first_name: z.string().default(""),
  last_name: z.string().default(""),
  email: z.string().default(""),
  email_verified: z.boolean().default(false),
  roles: z.string().default(""),
  delete_at: z.number().default(0),
  is_bot: z.boolean().default(false),
  remote_id: z.string().nullish(),
});

async function readUser(call: CallMattermost, userId: string) {
  const path = `api/v4/users/${encodeURIComponent(userId)}`;
  return user.parse(await call.json(`GET ${path}`));
}

async function findUsername(call: CallMattermost, userId: string): Promise<string | undefined> {
  const { username } = await readUser(call, userId);
  return /^[\w.-]{1,64}$/.test(username) ? username : undefined;
}

/** Guests, bots, users of other servers and inactive users have no email address here: others may have set it. */
async function findProfile(call: CallMattermost, userId: string): Promise<ChatProfile> {
  const found = await readUser(call, userId);
  const fullName = `${found.first_name} ${found.last_name}`.trim();
  const roles = found.roles.split(" ");
  const isMember =
    found.id === userId &&
    found.delete_at === 0 &&
    !found.is_bot &&
    (found.remote_id ?? "") === "" &&
    roles.includes("system_user") &&
    !roles.includes("system_guest");
  const isTrusted = isMember && found.email_verified && found.email !== "";
  return {
    name: found.nickname || fullName || found.username,
    email: isTrusted ? found.email : undefined,
  };
}
