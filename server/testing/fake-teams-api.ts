import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { activityZodSchema } from "@microsoft/agents-activity";
import { SignJWT } from "jose";
import { checkCard } from "./fake-teams-card.ts";
import { nextId, personalChat } from "./fake-teams-state.ts";
import type { FakeSigner, FakeTeams } from "./fake-teams-state.ts";

type Answer = { status: number; body?: unknown; location?: string };
type Asked = { body: Buffer; url: URL; parts: string[] };
type Route = {
  label: string;
  isPublic?: boolean;
  work(state: FakeTeams, asked: Asked): Answer | Promise<Answer>;
};

const maxMessageBytes = 28 * 1024;

const refuse = (state: FakeTeams, status: number, why: string): Answer => {
  state.refusals.push(why);
  return { status };
};

/** Serves sign-in, tokens, keys and the Bot Connector. */
export async function answerTeams(
  state: FakeTeams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", state.baseUrl);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const route = findRoute(`${request.method ?? "GET"} ${url.pathname}`);
  const fault = state.faults.find(({ label, times }) => label === route?.label && times > 0);
  if (fault !== undefined) fault.times -= 1;
  const isAuthorized = state.tokens.has(
    /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "",
  );
  if (fault !== undefined && fault.isDone !== true) {
    response.writeHead(fault.status ?? 503, { "retry-after": "1" }).end();
  } else if (route === undefined) {
    write(response, refuse(state, 404, `${request.method} ${url.pathname} is unknown`));
  } else if (route.isPublic !== true && !isAuthorized) write(response, { status: 401 });
  else {
    const parts = route.parts.map((part) => decodeURIComponent(part));
    const answer = await route.work(state, { body: Buffer.concat(chunks), url, parts });
    if (fault?.isDone === true) response.destroy();
    else write(response, answer);
  }
}

function write(response: ServerResponse, { status, body, location }: Answer): void {
  if (location !== undefined) response.writeHead(status, { location }).end();
  else if (Buffer.isBuffer(body))
    response.writeHead(status, { "content-type": "image/png" }).end(body);
  else {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? "" : JSON.stringify(body));
  }
}

function findRoute(asked: string): (Route & { parts: string[] }) | undefined {
  for (const [pattern, route] of routes) {
    const found = new RegExp(`^${pattern}$`).exec(asked);
    if (found !== null) return { ...route, parts: found.slice(1) };
  }
  return undefined;
}

/** A token that a signer issues. */
export function sign({ kid, key }: FakeSigner, claims: Record<string, unknown>): Promise<string> {
  const head = { alg: "RS256", kid };
  return new SignJWT({ exp: Math.floor(Date.now() / 1_000) + 600, ...claims })
    .setProtectedHeader(head)
    .sign(key);
}

function authorize(state: FakeTeams, { url: { searchParams: asked } }: Asked): Answer {
  const isKnown = asked.get("client_id") === state.appId && asked.get("response_type") === "code";
  if (!isKnown || asked.get("scope")?.includes("openid") !== true) {
    return refuse(state, 400, "authorize: invalid request");
  }
  const redirectUri = asked.get("redirect_uri") ?? "";
  const code = randomUUID();
  state.codes.set(code, { user: state.visitor, redirectUri });
  const back = new URL(redirectUri);
  back.searchParams.set("code", code);
  back.searchParams.set("state", asked.get("state") ?? "");
  return { status: 302, location: back.href };
}

async function giveToken(state: FakeTeams, { body }: Asked): Promise<Answer> {
  const given = new URLSearchParams(body.toString());
  const { appId, clientSecret, tenantId, baseUrl } = state;
  if (state.isDeleted) return { status: 400, body: { error: "unauthorized_client" } };
  if (given.get("client_id") !== appId || given.get("client_secret") !== clientSecret) {
    return { status: 401, body: { error: "invalid_client" } };
  }
  if (given.get("grant_type") === "client_credentials") {
    if (given.get("scope") !== "https://api.botframework.com/.default") {
      return refuse(state, 400, `token: scope ${given.get("scope")}`);
    }
    const token = randomUUID();
    state.tokens.add(token);
    return { status: 200, body: { access_token: token, expires_in: 3_600, token_type: "Bearer" } };
  }
  const found = state.codes.get(given.get("code") ?? "");
  state.codes.delete(given.get("code") ?? "");
  if (found === undefined || given.get("redirect_uri") !== found.redirectUri) {
    return { status: 400, body: { error: "invalid_grant" } };
  }
  const { wids = [], userPrincipalName } = state.users.get(found.user) ?? {};
  const iss = `${baseUrl}/${tenantId}/v2.0`;
  const claims = { iss, aud: appId, tid: tenantId, wids, preferred_username: userPrincipalName };
  const id_token = await sign(state.tenant, claims);
  return { status: 200, body: { access_token: randomUUID(), id_token, expires_in: 3_600 } };
}

/** Why an activity of the bot is invalid. */
function checkActivity(activity: Record<string, unknown>): string[] {
  const parsed = activityZodSchema.safeParse(activity);
  if (!parsed.success) return [parsed.error.message];
  const { type, text, textFormat, summary, attachments = [] } = activity;
  if (type === "typing") return [];
  if (type !== "message") return [`type ${String(type)}`];
  const cards = attachments as { contentType: string; content: unknown }[];
  if (cards.length === 0)
    return typeof text === "string" && text !== "" && textFormat === "plain" ? [] : ["no text"];
  if (typeof summary !== "string" || summary === "") return ["no summary"];
  return cards.flatMap(({ contentType, content }) =>
    contentType === "application/vnd.microsoft.card.adaptive" ? checkCard(content) : [contentType],
  );
}

/** The activity of a request, or the response to one that Teams refuses. */
function readActivity(
  state: FakeTeams,
  conversation: string,
  body: Buffer,
): { activity: Record<string, unknown> } | Answer {
  const [id = "", thread] = conversation.split(";messageid=");
  const known = state.conversations.get(id);
  if (known === undefined) return refuse(state, 404, `conversation ${conversation} does not exist`);
  const isThread = state.messages.some((one) => one.conversation === conversation);
  if (thread !== undefined && (known.type !== "channel" || !isThread)) {
    return refuse(state, 404, `thread ${conversation} does not exist`);
  }
  if (body.length > maxMessageBytes) return refuse(state, 413, `${body.length} bytes`);
  const activity = JSON.parse(body.toString()) as Record<string, unknown>;
  const problems = checkActivity(activity);
  return problems.length === 0 ? { activity } : refuse(state, 400, problems.join("; "));
}

function createMessage(state: FakeTeams, { body, parts: [conversation = ""] }: Asked): Answer {
  const read = readActivity(state, conversation, body);
  if ("status" in read) return read;
  if (read.activity["type"] === "typing") {
    state.typing.push(conversation);
    return { status: 200, body: { id: nextId() } };
  }
  const isPersonal = conversation.startsWith("a:");
  const id = isPersonal ? `1:${randomUUID()}` : nextId();
  state.messages.push({ id, conversation, activity: read.activity, edits: 0 });
  return { status: 201, body: { id } };
}

function updateMessage(state: FakeTeams, { body, parts: [conversation = "", id] }: Asked): Answer {
  const found = state.messages.find((one) => one.id === id && one.conversation === conversation);
  if (found === undefined) return refuse(state, 404, `message ${id} does not exist`);
  const read = readActivity(state, conversation, body);
  if ("status" in read) return read;
  found.activity = read.activity;
  found.edits += 1;
  return { status: 200, body: { id } };
}

type NewConversation = {
  bot?: { id: string };
  members?: { id: string }[];
  tenantId?: string;
  isGroup?: boolean;
};

function openConversation(state: FakeTeams, { body }: Asked): Answer {
  const { bot, members, tenantId, isGroup } = JSON.parse(body.toString()) as NewConversation;
  const isValid = bot?.id === `28:${state.appId}` && members?.length === 1 && isGroup === false;
  if (!isValid || tenantId !== state.tenantId) return refuse(state, 400, "invalid conversation");
  const user = state.users.get(members[0]?.id ?? "");
  if (user === undefined) return { status: 404 };
  return user.hasApp
    ? { status: 201, body: { id: personalChat(state, user.id) } }
    : { status: 403 };
}

function findMember(
  { users, conversations }: FakeTeams,
  { parts: [conversation = "", id = ""] }: Asked,
): Answer {
  const user = users.get(id);
  if (user === undefined || !conversations.has(conversation)) return { status: 404 };
  const { hasApp: _, wids: __, ...member } = user;
  return { status: 200, body: member };
}

const id = "([^/]+)";
const keysOf = ({ jwk }: FakeSigner): Answer => ({ status: 200, body: { keys: [jwk] } });
const routes: readonly [string, Route][] = [
  [
    "GET /openid/configuration",
    {
      label: "openid",
      isPublic: true,
      work: ({ baseUrl }) => {
        const body = { issuer: "https://api.botframework.com", jwks_uri: `${baseUrl}/openid/keys` };
        return { status: 200, body };
      },
    },
  ],
  [
    "GET /openid/keys",
    { label: "keys", isPublic: true, work: ({ connector }) => keysOf(connector) },
  ],
  [
    `GET /${id}/v2.0/.well-known/openid-configuration`,
    {
      label: "tenant",
      isPublic: true,
      work: ({ baseUrl }, { parts: [tenantId = ""] }) => {
        const jwks_uri = `${baseUrl}/${tenantId}/discovery/v2.0/keys`;
        return { status: 200, body: { issuer: `${baseUrl}/${tenantId}/v2.0`, jwks_uri } };
      },
    },
  ],
  [
    `GET /${id}/discovery/v2.0/keys`,
    { label: "tenant keys", isPublic: true, work: ({ tenant }) => keysOf(tenant) },
  ],
  [`GET /${id}/oauth2/v2.0/authorize`, { label: "authorize", isPublic: true, work: authorize }],
  [`POST /${id}/oauth2/v2.0/token`, { label: "token", isPublic: true, work: giveToken }],
  ["POST /teams/v3/conversations", { label: "conversation", work: openConversation }],
  [`POST /teams/v3/conversations/${id}/activities`, { label: "post", work: createMessage }],
  [`PUT /teams/v3/conversations/${id}/activities/${id}`, { label: "edit", work: updateMessage }],
  [`GET /teams/v3/conversations/${id}/members/${id}`, { label: "member", work: findMember }],
  [
    `GET /teams/v3/attachments/${id}/views/original`,
    {
      label: "file",
      work: ({ files }, { parts: [file = ""] }) =>
        files.has(file) ? { status: 200, body: files.get(file) } : { status: 404 },
    },
  ],
];
