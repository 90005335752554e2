import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { addPost, describePost, directChannel, mattermostId } from "./fake-mattermost-state.ts";
import type { FakeMattermost, FakePost } from "./fake-mattermost-state.ts";

type Answer = { status: number; body?: unknown };
type Asked = { userId: string; body: Buffer; url: URL; parts: string[] };

const refuse = (state: FakeMattermost, status: number, why: string): Answer => {
  state.refusals.push(why);
  return { status };
};

/** Serves the API, OAuth and the consent page. */
export async function answerMattermost(
  state: FakeMattermost,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", state.baseUrl);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const route = findRoute(request.method ?? "GET", url.pathname);
  const userId = findUser(state, request);
  const fault = state.faults.find(({ label, times }) => label === route?.label && times > 0);
  if (fault !== undefined) fault.times -= 1;
  if (fault?.isDone === false || (fault !== undefined && fault.isDone === undefined)) {
    return write(response, { status: fault.status ?? 503 });
  }
  if (route === undefined) {
    return write(response, refuse(state, 404, `${request.method} ${url.pathname} is unknown`));
  }
  if (!route.isPublic && userId === undefined) return write(response, { status: 401 });
  const answer = route.work(state, { userId: userId ?? "", body, url, parts: route.parts });
  if (fault?.isDone === true) response.destroy();
  else write(response, answer);
}

function findUser(
  { botToken, bot, userTokens }: FakeMattermost,
  { headers }: IncomingMessage,
): string | undefined {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
  return token === botToken ? bot.id : userTokens.get(token);
}

function write(response: ServerResponse, { status, body }: Answer): void {
  if (body instanceof URL) response.writeHead(status, { location: body.href }).end();
  else if (Buffer.isBuffer(body)) response.writeHead(status).end(body);
  else {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { message: "refused", status_code: status }));
  }
}

type Route = {
  label: string;
  isPublic?: boolean;
  work: (state: FakeMattermost, asked: Asked) => Answer;
};

function findRoute(method: string, path: string): (Route & { parts: string[] }) | undefined {
  for (const [pattern, route] of routes) {
    const parts = new RegExp(`^${pattern}$`).exec(`${method} ${path}`)?.slice(1);
    if (parts !== undefined) return { ...route, parts };
  }
  return undefined;
}

const action = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9]+$/),
  type: z.literal("button"),
  name: z.string().min(1).max(100),
  style: z.enum(["default", "primary", "danger", "good", "success", "warning"]),
  integration: z.strictObject({
    url: z.url({ protocol: /^https?$/ }),
    context: z.record(z.string(), z.unknown()),
  }),
});
const newPost = z.strictObject({
  channel_id: z.string(),
  root_id: z.string().optional(),
  message: z.string().max(16_383),
  file_ids: z.array(z.string()).max(10).optional(),
  pending_post_id: z.string().optional(),
  props: z
    .looseObject({
      attachments: z.array(z.looseObject({ actions: z.array(action).optional() })).optional(),
    })
    .optional(),
});

function createPost(state: FakeMattermost, { userId, body }: Asked): Answer {
  const parsed = newPost.safeParse(JSON.parse(body.toString()));
  if (!parsed.success) return refuse(state, 400, `post: ${parsed.error.message}`);
  const {
    channel_id,
    root_id = "",
    message,
    file_ids = [],
    pending_post_id = "",
    props,
  } = parsed.data;
  const repeated = state.posts.find(
    (one) => pending_post_id !== "" && one.pending_post_id === pending_post_id,
  );
  if (repeated !== undefined) return { status: 201, body: describePost(state, repeated) };
  const channel = state.channels.get(channel_id);
  if (channel === undefined) return { status: 403 };
  if (channel.type === "D" && !channel.members.includes(userId)) return { status: 403 };
  const root = state.posts.find(({ id }) => id === root_id);
  const isThread = root?.root_id === "" && root.channel_id === channel_id;
  if (root_id !== "" && !isThread) return refuse(state, 400, `post: no thread ${root_id}`);
  if (message.trim() === "" && file_ids.length === 0 && props?.attachments?.length === 0) {
    return refuse(state, 400, "post: empty");
  }
  const given = { user_id: userId, channel_id, root_id, message, file_ids, pending_post_id };
  return {
    status: 201,
    body: describePost(state, addPost(state, { ...given, props: { ...props } })),
  };
}

function patchPost(state: FakeMattermost, { userId, body, parts: [id = ""] }: Asked): Answer {
  const post = state.posts.find((one) => one.id === id && one.delete_at === 0);
  if (post === undefined) return { status: 404 };
  if (post.user_id !== userId) return refuse(state, 403, "patch: the post of another user");
  const parsed = newPost.omit({ channel_id: true }).safeParse(JSON.parse(body.toString()));
  if (!parsed.success) return refuse(state, 400, `patch: ${parsed.error.message}`);
  Object.assign(post, { message: parsed.data.message, props: { ...parsed.data.props } });
  return { status: 200, body: describePost(state, post) };
}

function postEphemeral(state: FakeMattermost, { body }: Asked): Answer {
  const { user_id, post } = JSON.parse(body.toString()) as { user_id: string; post: FakePost };
  if (!state.mayPostEphemerals) return { status: 403 };
  state.ephemerals.push({ user_id, message: post.message });
  return { status: 201, body: { ...post, id: mattermostId() } };
}

function readThread(state: FakeMattermost, { url, parts: [id = ""] }: Asked): Answer {
  const root = state.posts.filter((one) => one.id === id);
  const replies = state.posts.filter((one) => one.root_id === id);
  if (root.length === 0) return { status: 404 };
  const perPage = Number(url.searchParams.get("perPage"));
  if (perPage === 0 || url.searchParams.get("direction") !== "up") {
    return refuse(state, 400, "thread: no bound for the newest messages");
  }
  return { status: 200, body: toList(state, [...root, ...replies.slice(-perPage)]) };
}

function toList(state: FakeMattermost, posts: readonly FakePost[]): object {
  // The map has no order.
  const shown = posts.toReversed().map((post) => [post.id, describePost(state, post)] as const);
  return { order: posts.map(({ id }) => id), posts: Object.fromEntries(shown) };
}

function react(state: FakeMattermost, { userId, body }: Asked): Answer {
  const given = JSON.parse(body.toString()) as Record<string, string>;
  const post = state.posts.find(({ id }) => id === given["post_id"]);
  if (given["user_id"] !== userId) return refuse(state, 403, "react: another user");
  if (post === undefined) return { status: 404 };
  post.reactions.push(given["emoji_name"] ?? "");
  return { status: 201, body: given };
}

function unreact(state: FakeMattermost, { parts: [, id = "", emoji = ""] }: Asked): Answer {
  const post = state.posts.find((one) => one.id === id);
  if (post === undefined) return { status: 404 };
  post.reactions = post.reactions.filter((one) => one !== emoji);
  return { status: 200, body: { status: "OK" } };
}

function authorize(state: FakeMattermost, { url: { searchParams: asked } }: Asked): Answer {
  const isKnown =
    asked.get("client_id") === state.client.id && asked.get("response_type") === "code";
  if (!isKnown) return refuse(state, 400, "authorize: invalid client");
  const redirectUri = asked.get("redirect_uri") ?? "";
  const code = randomUUID();
  state.codes.set(code, { user: state.visitor, redirectUri });
  const back = new URL(redirectUri);
  back.searchParams.set("code", code);
  back.searchParams.set("state", asked.get("state") ?? "");
  return { status: 302, body: back };
}

function giveToken(state: FakeMattermost, { body }: Asked): Answer {
  const given = new URLSearchParams(body.toString());
  const found = state.codes.get(given.get("code") ?? "");
  state.codes.delete(given.get("code") ?? "");
  const { id, secret } = state.client;
  const isClient = given.get("client_id") === id && given.get("client_secret") === secret;
  if (!isClient || given.get("redirect_uri") !== found?.redirectUri) return { status: 400 };
  const token = mattermostId();
  state.userTokens.set(token, found.user);
  return { status: 200, body: { access_token: token, token_type: "bearer" } };
}

function logOut(state: FakeMattermost, { userId }: Asked): Answer {
  for (const [token, user] of state.userTokens) {
    if (user === userId) state.userTokens.delete(token);
  }
  return { status: 200, body: { status: "OK" } };
}

const id = "([a-z0-9]{26})";
const routes: readonly [string, Route][] = [
  ["GET /oauth/authorize", { label: "authorize", isPublic: true, work: authorize }],
  ["POST /oauth/access_token", { label: "token", isPublic: true, work: giveToken }],
  ["POST /api/v4/users/logout", { label: "logout", work: logOut }],
  [
    "GET /api/v4/users/me",
    { label: "me", work: ({ users }, { userId }) => ({ status: 200, body: users.get(userId) }) },
  ],
  [
    `GET /api/v4/users/${id}`,
    {
      label: "user",
      work: ({ users }, { parts: [user = ""] }) =>
        users.has(user) ? { status: 200, body: users.get(user) } : { status: 404 },
    },
  ],
  [
    `POST /api/v4/users/${id}/typing`,
    {
      label: "typing",
      work: ({ typing }, { body }) => {
        typing.push((JSON.parse(body.toString()) as { parent_id: string }).parent_id);
        return { status: 200, body: { status: "OK" } };
      },
    },
  ],
  ["POST /api/v4/posts", { label: "post", work: createPost }],
  [`PUT /api/v4/posts/${id}/patch`, { label: "patch", work: patchPost }],
  ["POST /api/v4/posts/ephemeral", { label: "ephemeral", work: postEphemeral }],
  [`GET /api/v4/posts/${id}/thread`, { label: "thread", work: readThread }],
  [
    `GET /api/v4/channels/${id}/posts`,
    {
      label: "channel",
      work: (state, { parts: [channel = ""] }) => {
        const posts = state.posts.filter(({ channel_id }) => channel_id === channel);
        return { status: 200, body: toList(state, posts.slice(-60)) };
      },
    },
  ],
  [
    "POST /api/v4/channels/direct",
    {
      label: "direct",
      work: (state, { body }) => {
        const members = JSON.parse(body.toString()) as string[];
        return { status: 201, body: { id: directChannel(state, members) } };
      },
    },
  ],
  ["POST /api/v4/reactions", { label: "react", work: react }],
  [`DELETE /api/v4/users/${id}/posts/${id}/reactions/(\\w+)`, { label: "unreact", work: unreact }],
  [
    `GET /api/v4/files/${id}/info`,
    {
      label: "file info",
      work: ({ files }, { parts: [file = ""] }) => {
        const found = files.get(file);
        if (found === undefined) return { status: 404 };
        const { body, ...rest } = found;
        return { status: 200, body: { id: file, ...rest, size: body.length } };
      },
    },
  ],
  [
    `GET /api/v4/files/${id}`,
    {
      label: "file",
      work: ({ files }, { parts: [file = ""] }) => ({ status: 200, body: files.get(file)?.body }),
    },
  ],
  [
    "POST /api/v4/files",
    {
      label: "upload",
      work: ({ files }, { url, body }) => {
        const file = mattermostId();
        const name = url.searchParams.get("filename") ?? "";
        files.set(file, { name, mime_type: "text/plain", body });
        return { status: 201, body: { file_infos: [{ id: file }] } };
      },
    },
  ],
];
