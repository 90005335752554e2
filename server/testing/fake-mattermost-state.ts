import { randomUUID } from "node:crypto";

export type FakeUser = {
  id: string;
  username: string;
  email: string;
  email_verified: boolean;
  roles: string;
  delete_at: number;
  is_bot: boolean;
};

export type FakePost = {
  id: string;
  create_at: number;
  delete_at: number;
  user_id: string;
  channel_id: string;
  root_id: string;
  message: string;
  type: string;
  props: Record<string, unknown>;
  file_ids: string[];
  pending_post_id: string;
  reactions: string[];
};

type FakeFault = { label: string; times: number; status?: number; isDone?: boolean };

/** A fake Mattermost server: strict about tokens, threads, limits and its socket's protocol. */
export type FakeMattermost = {
  baseUrl: string;
  botToken: string;
  bot: FakeUser;
  client: { id: string; secret: string };
  users: Map<string, FakeUser>;
  /** The types of channels, such as `O` or `D`, with the members of direct ones. */
  channels: Map<string, { type: string; members: string[] }>;
  posts: FakePost[];
  files: Map<string, { name: string; mime_type: string; body: Buffer }>;
  /** Ephemeral messages that were shown; allowed only with a permission that bots lack. */
  ephemerals: { user_id: string; message: string }[];
  mayPostEphemerals: boolean;
  typing: string[];
  codes: Map<string, { user: string; redirectUri: string }>;
  /** Tokens of users from OAuth. */
  userTokens: Map<string, string>;
  faults: FakeFault[];
  /** The requests that no client of the real server would send. A test fails when there is one. */
  refusals: string[];
  socket: FakeSocketState;
  /** The person who uses the browser of an installation. */
  visitor: string;
  settings: Record<string, string>;
  addUser(username: string, rest?: Partial<FakeUser>): FakeUser;
  /** Posts as a user, and sends the event to the bot. */
  say(user: FakeUser, message: string, how?: Said): FakePost;
  close(): Promise<void>;
};

type Said = {
  channel?: string;
  root?: string;
  files?: string[];
  props?: Record<string, unknown>;
  /** Overrides whether the bot is mentioned. */
  mentionsBot?: boolean;
};

type FakeSocketState = {
  sessions: Map<string, { events: object[]; send: ((event: object) => void) | undefined }>;
  connections: Set<{ terminate(): void; pause(): void }>;
  opened: number;
  resumed: number;
};

/** IDs in Mattermost's format. */
export function mattermostId(): string {
  return `${randomUUID()}${randomUUID()}`.replaceAll("-", "").slice(0, 26);
}

export const townSquare = mattermostId();

export function toUser(username: string, rest: Partial<FakeUser>): FakeUser {
  const email = `${username}@example.com`;
  const base = { id: mattermostId(), username, email, email_verified: true };
  return { ...base, roles: "system_user", delete_at: 0, is_bot: false, ...rest };
}

let clock = 1_795_000_000_000;

/** The direct channel of two users. */
export function directChannel({ channels }: FakeMattermost, members: readonly string[]): string {
  const sorted = members.toSorted();
  for (const [id, channel] of channels) {
    if (channel.type === "D" && channel.members.join() === sorted.join()) return id;
  }
  const id = mattermostId();
  channels.set(id, { type: "D", members: sorted });
  return id;
}

export function addPost(
  state: FakeMattermost,
  given: Partial<FakePost> & Pick<FakePost, "user_id" | "channel_id">,
): FakePost {
  clock += 10;
  const post: FakePost = {
    id: mattermostId(),
    create_at: clock,
    delete_at: 0,
    root_id: "",
    message: "",
    type: "",
    props: {},
    file_ids: [],
    pending_post_id: "",
    reactions: [],
    ...given,
  };
  state.posts.push(post);
  const { type = "O" } = state.channels.get(post.channel_id) ?? {};
  const isForAll = /(?<!\w)@(?:all|channel|here)\b/.test(post.message);
  const mentioned = [...state.users.values()].filter(
    ({ username }) => isForAll || post.message.includes(`@${username}`),
  );
  sendEvent(state, "posted", {
    channel_type: type,
    post: JSON.stringify(describePost(state, post)),
    ...(mentioned.length > 0 ? { mentions: JSON.stringify(mentioned.map(({ id }) => id)) } : {}),
  });
  return post;
}

export function say(state: FakeMattermost, user: FakeUser, message: string, how: Said): FakePost {
  const { channel = townSquare, root = "", files = [], props = {} } = how;
  const given = { user_id: user.id, channel_id: channel, root_id: root, message };
  return addPost(state, { ...given, file_ids: files, props });
}

/** A message as the API and events show it. Clients never see what the buttons send. */
export function describePost({ files }: FakeMattermost, post: FakePost): object {
  const { reactions: _, file_ids, ...rest } = post;
  const shown = file_ids.map((id) => {
    const file = files.get(id);
    return { id, name: file?.name, mime_type: file?.mime_type, size: file?.body.length };
  });
  return { ...rest, file_ids, metadata: { files: shown } };
}

/** Sends an event over all sessions; one without a connection gets it when it resumes. */
function sendEvent({ socket }: FakeMattermost, event: string, data: object): void {
  for (const session of socket.sessions.values()) {
    const numbered = { event, data, broadcast: {}, seq: session.events.length };
    session.events.push(numbered);
    session.send?.(numbered);
  }
}
