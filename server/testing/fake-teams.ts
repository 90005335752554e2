import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { answerTeams, sign } from "./fake-teams-api.ts";
import { checkCard } from "./fake-teams-card.ts";
import { channel, groupChat, nextId, toUser } from "./fake-teams-state.ts";
import type { FakeSigner, FakeTeams, FakeTeamsUser } from "./fake-teams-state.ts";

export { channel, groupChat, nextId, personalChat } from "./fake-teams-state.ts";
export { sign } from "./fake-teams-api.ts";
export type { FakeTeamsUser } from "./fake-teams-state.ts";

export type TeamsFake = FakeTeams & {
  addUser(name: string, rest?: Partial<FakeTeamsUser>): FakeTeamsUser;
  /** Writes as a user; in the channel unless `conversation` names another, and with a mention of the bot unless personal. */
  say(user: FakeTeamsUser, text: string, how?: Said): Promise<Delivered>;
  /** Sends an activity, with the claims of its token. */
  send(activity: object, claims?: Claims): Promise<Delivered>;
  /** Presses a button of a card, with the inputs of the card. */
  press(user: FakeTeamsUser, asked: Pressed): Promise<InvokeAnswer>;
  close(): Promise<void>;
};

type Said = {
  conversation?: string;
  thread?: string;
  isMention?: boolean;
  rest?: object;
  id?: string;
};
type Claims = { signer?: FakeSigner; token?: string } & Record<string, unknown>;
type Delivered = { status: number; text: string; id: string; conversation: string };
type Pressed = { conversation: string; verb: string; data: object };
type InvokeAnswer = { statusCode: number; type: string; value: unknown };

async function createSigner(rest: object): Promise<FakeSigner> {
  const kid = randomUUID();
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  return {
    kid,
    key: privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid, use: "sig", ...rest },
  };
}

/** Starts a tenant with a channel and a group chat. */
export async function startFakeTeams(): Promise<TeamsFake> {
  const state = await createState();
  const server = createServer((request, response) => {
    answerTeams(state, request, response).catch((error: unknown) => {
      state.refusals.push(String(error));
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  state.baseUrl = `http://127.0.0.1:${port}`;
  state.settings = {
    TEAMS_APP_ID: state.appId,
    TEAMS_TENANT_ID: state.tenantId,
    TEAMS_CLIENT_SECRET: state.clientSecret,
    TEAMS_SERVICE_URL: `${state.baseUrl}/teams/`,
    TEAMS_LOGIN_URL: `${state.baseUrl}/`,
    TEAMS_OPENID_URL: `${state.baseUrl}/openid/configuration`,
  };
  return Object.assign(state, {
    addUser: (name: string, rest: Partial<FakeTeamsUser> = {}) => {
      const user = toUser(state, name, rest);
      state.users.set(user.id, user);
      return user;
    },
    say: (user: FakeTeamsUser, text: string, how?: Said) => say(state, user, text, how),
    send: (activity: object, claims?: Claims) => send(state, activity, claims),
    press: (user: FakeTeamsUser, asked: Pressed) => press(state, user, asked),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (state.refusals.length > 0) throw new Error(state.refusals.join("\n"));
    },
  });
}

async function createState(): Promise<FakeTeams> {
  return {
    baseUrl: "",
    appUrl: "",
    appId: randomUUID(),
    tenantId: randomUUID(),
    clientSecret: randomUUID(),
    visitor: "",
    settings: {},
    users: new Map(),
    conversations: new Map([
      [channel, { type: "channel", members: [] }],
      [groupChat, { type: "groupChat", members: [] }],
    ]),
    messages: [],
    typing: [],
    files: new Map(),
    codes: new Map(),
    tokens: new Set(),
    connector: await createSigner({ endorsements: ["msteams"] }),
    tenant: await createSigner({}),
    faults: [],
    isDeleted: false,
    refusals: [],
  };
}

function describe(state: FakeTeams, user: FakeTeamsUser, conversation: string): object {
  const { tenantId, baseUrl, appId } = state;
  const { type } = state.conversations.get(conversation.split(";")[0] ?? "") ?? {
    type: "personal",
  };
  return {
    channelId: "msteams",
    serviceUrl: `${baseUrl}/teams/`,
    timestamp: new Date().toISOString(),
    from: { id: user.id, name: user.name, aadObjectId: randomUUID() },
    recipient: { id: `28:${appId}`, name: "Toolhost" },
    conversation: {
      id: conversation,
      conversationType: type,
      tenantId,
      isGroup: type !== "personal",
    },
    channelData: { tenant: { id: tenantId } },
  };
}

async function say(
  state: FakeTeams,
  user: FakeTeamsUser,
  text: string,
  { conversation = channel, thread, isMention, rest = {}, id = nextId() }: Said = {},
): Promise<Delivered> {
  const isPersonal = conversation.startsWith("a:");
  const place = conversation === channel ? `${channel};messageid=${thread ?? id}` : conversation;
  const isMentioned = isMention ?? !isPersonal;
  const bot = {
    type: "mention",
    text: "<at>Toolhost</at>",
    mentioned: { id: `28:${state.appId}`, name: "Toolhost" },
  };
  const activity = {
    ...describe(state, user, place),
    type: "message",
    id,
    text: isMentioned ? `<at>Toolhost</at>&nbsp;${text}` : text,
    entities: isMentioned ? [bot] : [],
    ...rest,
  };
  state.messages.push({
    id,
    conversation: place,
    activity: { ...activity, fromUser: true },
    edits: 0,
  });
  return { ...(await send(state, activity)), id, conversation: place };
}

async function send(
  state: FakeTeams,
  activity: object,
  { signer = state.connector, token, ...claims }: Claims = {},
): Promise<Delivered> {
  const issued = {
    iss: "https://api.botframework.com",
    aud: state.appId,
    serviceurl: `${state.baseUrl}/teams/`,
  };
  const bearer = token ?? (await sign(signer, { ...issued, ...claims }));
  const response = await fetch(`${state.appUrl}/bot/teams/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
    body: JSON.stringify(activity),
  });
  return { status: response.status, text: await response.text(), id: "", conversation: "" };
}

async function press(
  state: FakeTeams,
  user: FakeTeamsUser,
  { conversation, verb, data }: Pressed,
): Promise<InvokeAnswer> {
  const value = { action: { type: "Action.Execute", verb, data }, trigger: "manual" };
  const about = { type: "invoke", name: "adaptiveCard/action", id: `f:${randomUUID()}`, value };
  const { status, text } = await send(state, { ...describe(state, user, conversation), ...about });
  if (status !== 200) throw new Error(text);
  const answer = JSON.parse(text) as InvokeAnswer;
  if (answer.type.endsWith("adaptive")) state.refusals.push(...checkCard(answer.value));
  return answer;
}
