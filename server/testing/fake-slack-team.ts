import { randomUUID } from "node:crypto";

/** A message in a channel, as Slack stores it. */
export type FakeMessage = {
  ts: string;
  thread_ts?: string;
  channel: string;
  user: string;
  bot_id?: string;
  text: string;
  blocks?: unknown[];
  metadata?: { event_type: string; event_payload: Record<string, unknown> };
  files?: unknown[];
  reactions: string[];
  edits: number;
  /** A streamed message, which Slack or a person who pressed Stop may close before the bot does. */
  stream?: "open" | "closed" | "stopped";
};

export type FakeUser = {
  id: string;
  team_id: string;
  name: string;
  email: string;
  isEmailConfirmed: boolean;
  isBot: boolean;
  /** Members that override those of a full member; `undefined` omits one. */
  flags?: Readonly<Record<string, unknown>>;
};

type FakeFile = {
  id: string;
  name: string;
  mimetype: string;
  body: Buffer;
  /** The size that Slack reports, if it is not the actual one. */
  size?: number;
  /** The URL that Slack reports, if it is not on its file host. */
  url?: string;
  /** Where Slack's file host redirects requests for the file. */
  movedTo?: string;
};

/** A view with what Slack adds. */
export type FakeViewState = Record<string, unknown> & { id: string; hash: string };

/** A Slack workspace for tests. */
export type FakeTeam = {
  id: string;
  name: string;
  botUserId: string;
  botId: string;
  /** The bot's token, once the app is installed. */
  token: string | undefined;
  /** The scopes of the token. */
  scopes: Set<string>;
  /** Scopes that an installation does not grant, because the app has an earlier manifest. */
  withheldScopes: Set<string>;
  /** When each trigger of an interaction was issued. */
  triggers: Map<string, number>;
  users: Map<string, FakeUser>;
  channels: Set<string>;
  messages: FakeMessage[];
  ephemerals: {
    ts: string;
    channel: string;
    user: string;
    text: string;
    blocks: unknown[];
    /** Whether the response to a command or press showed it. */
    isResponse?: boolean;
  }[];
  /** Conversations of several people. */
  groups: Set<string>;
  /** The views that were opened, with the trigger of each; `updates` counts later changes. */
  views: { trigger: string; view: FakeViewState; updates: number }[];
  /** The Home of each user. */
  homes: Map<string, FakeViewState>;
  files: Map<string, FakeFile>;
  /** Whether the app is declared as an agent. */
  isAgent: boolean;
  /** The status of the bot in threads, in the order in which it was set; empty once it is cleared. */
  statuses: { thread: string; status: string; loading: string[] }[];
  /** The state of the agent's session in each thread. */
  sessions: Map<string, string>;
  /** The prompts that were suggested to a user. */
  prompts: { channel: string; title: string; prompts: { title?: string; message?: string }[] }[];
  /** Whether the app may read one small page of messages per minute, because it is distributed outside of the marketplace. */
  isLowestTier: boolean;
  /** Whether the app is installed for the organization, and so for all of its teams. */
  isOfOrganization: boolean;
  /** The upload URL that Slack reports, if it is not on its file host. */
  uploadUrl: string | undefined;
  nextTs(): string;
};

/** IDs in Slack's format. */
export function slackId(prefix: string): string {
  return prefix + randomUUID().replaceAll("-", "").slice(0, 10).toUpperCase();
}

export function createFakeTeam(name: string): FakeTeam {
  let count = 0;
  const id = slackId("T");
  const botUserId = slackId("U");
  const bot = { id: botUserId, team_id: id, name: "toolhost", email: "" };
  return {
    id,
    name,
    botUserId,
    botId: slackId("B"),
    token: undefined,
    scopes: new Set(),
    withheldScopes: new Set(),
    triggers: new Map(),
    users: new Map([[botUserId, { ...bot, isEmailConfirmed: false, isBot: true }]]),
    channels: new Set([slackId("C")]),
    messages: [],
    ephemerals: [],
    groups: new Set(),
    views: [],
    homes: new Map(),
    files: new Map(),
    isAgent: true,
    statuses: [],
    sessions: new Map(),
    prompts: [],
    isLowestTier: false,
    isOfOrganization: false,
    uploadUrl: undefined,
    nextTs: () => `1795000000.${String(100_000 + count++)}`,
  };
}

/** Adds a text file to a team, and returns its description in messages. */
export function addFile(
  team: FakeTeam,
  { text, ...rest }: { text: string } & Partial<FakeFile>,
): { id: string; name: string; mimetype: string; size: number } {
  const body = Buffer.from(text);
  const file = { id: slackId("F"), name: "a.txt", mimetype: "text/plain", body, ...rest };
  team.files.set(file.id, file);
  const { id, name, mimetype } = file;
  return { id, name, mimetype, size: body.length };
}

/** Adds a user to a team, by default with a confirmed email address. */
export function addUser(team: FakeTeam, email: string, rest: Partial<FakeUser> = {}): string {
  const id = slackId("U");
  const name = email.split("@")[0] ?? "someone";
  const user = { id, team_id: team.id, name, email, isEmailConfirmed: true, isBot: false, ...rest };
  team.users.set(id, user);
  return id;
}

/** The first channel of a team, in which the bot is. */
export function channelOf(team: FakeTeam): string {
  const [channel] = team.channels;
  if (channel === undefined) throw new Error("The team has no channel");
  return channel;
}
