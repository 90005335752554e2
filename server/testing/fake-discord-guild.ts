/** A component as Discord stores it. */
export type FakeComponent = {
  type: number;
  id?: number;
  content?: string;
  custom_id?: string;
  label?: string;
  url?: string;
  component?: FakeComponent;
  components?: FakeComponent[];
  [key: string]: unknown;
};

export type FakePost = {
  id: string;
  channel: string;
  author: { id: string };
  content: string;
  components: FakeComponent[];
  allowedMentions: { parse: string[]; users?: string[] };
  nonce?: string;
  edits: number;
  /** The only user who sees it. */
  onlyTo?: string;
  /** The message that it replies to. */
  replyTo?: string;
  files: { name: string; body: string }[];
};

type FakeMember = { id: string; username: string; nick: string | null };

/** A Discord server for tests. */
export type FakeGuild = {
  id: string;
  name: string;
  /** Whether the bot is in it. */
  isJoined: boolean;
  members: Map<string, FakeMember>;
  channels: Set<string>;
  commands: { name: string; type: number }[];
  posts: FakePost[];
  /** Threads that were created from a message, by its ID. */
  threads: Map<string, { parent: string; name: string }>;
  /** Messages with a reaction of the bot. */
  reactions: string[];
  /** The role that Discord created for the bot. */
  botRole: string;
  /** The permissions that the bot lacks. */
  forbidden: Set<"threads" | "reactions" | "direct">;
};

/** An interaction and its response. */
export type FakeInteraction = {
  id: string;
  token: string;
  guild: FakeGuild;
  channel: string;
  user: string;
  /** Discord's type of the first response. */
  type: number | undefined;
  /** The first response, or a placeholder. */
  original: FakePost | undefined;
  isPlaceholder: boolean;
  modal: FakeComponent | undefined;
  /** Whether its token has expired, as after 15 minutes. */
  isOver: boolean;
};

const epochMs = 1_420_070_400_000;
let count = 0;

/** An ID in Discord's format, which contains its time. */
export function snowflake(at = Date.now()): string {
  count += 1;
  return String((BigInt(at - epochMs) << 22n) + BigInt(count % 4_000_000));
}

export function createFakeGuild(name: string): FakeGuild {
  return {
    id: snowflake(),
    name,
    isJoined: false,
    members: new Map(),
    channels: new Set([snowflake()]),
    commands: [],
    posts: [],
    threads: new Map(),
    reactions: [],
    botRole: snowflake(),
    forbidden: new Set(),
  };
}

/** A member of a server. */
export function addMember(guild: FakeGuild, username = "someone"): string {
  const id = snowflake();
  guild.members.set(id, { id, username, nick: null });
  return id;
}

/** The first channel of a server. */
export function roomOf(guild: FakeGuild): string {
  const [channel] = guild.channels;
  if (channel === undefined) throw new Error("The server has no channel");
  return channel;
}

/** All texts of a message, one per line. */
export function textIn({ content, components }: FakePost): string {
  return [content, ...components.map((one) => one.content ?? "")].join("\n");
}

/** The buttons of a message. */
export function buttonsOf({ components }: FakePost): FakeComponent[] {
  return components.flatMap((row) => (row.type === 1 ? (row.components ?? []) : []));
}

/** Why Discord would reject a message; undefined if it would not. */
export function whatIsWrong(body: Record<string, unknown>): string | undefined {
  const { components, content, flags } = body;
  const given = Array.isArray(components) ? (components as FakeComponent[]) : [];
  const mentions = body["allowed_mentions"] as { parse?: unknown[] } | undefined;
  if (mentions?.parse?.length !== 0) return "may mention everyone";
  if (given.length === 0) return undefined;
  if ((Number(flags) & 32_768) === 0 || content !== undefined) return "not of components";
  const all = given.flatMap((one) => [one, ...(one.components ?? [])]);
  if (all.length > 40) return "too many components";
  const texts = all.filter(({ type }) => type === 10).map((one) => one.content ?? "");
  if (texts.some((text) => text === "") || texts.join("").length > 4_000) return "its text";
  const ids = all.flatMap(({ custom_id }) => (custom_id === undefined ? [] : [custom_id]));
  if (new Set(ids).size < ids.length || ids.some((id) => id.length > 100)) return "its ids";
  return all.some(isWrongPart) ? "a component" : undefined;
}

function isWrongPart({ type, components, label, url, custom_id }: FakeComponent): boolean {
  if (type === 1) return (components ?? []).length === 0 || (components ?? []).length > 5;
  if (type !== 2) return ![10, 12, 13].includes(type);
  if (label === undefined || label === "" || label.length > 80) return true;
  return (url === undefined) === (custom_id === undefined) || (url ?? "").length > 512;
}

/** Why Discord would reject a modal; undefined if it would not. */
export function whatIsWrongInModal(modal: Record<string, unknown>): string | undefined {
  const {
    title,
    custom_id: id,
    components,
  } = modal as {
    title: string;
    custom_id: string;
    components: FakeComponent[];
  };
  if (title.length > 45 || id.length > 100) return "its head";
  if (components.length === 0 || components.length > 5) return "its size";
  return components.some(isWrongField) ? "a field" : undefined;
}

function isWrongField({ type, label, description, component }: FakeComponent): boolean {
  if (type === 10) return false;
  if (type !== 18 || component === undefined) return true;
  if (label === undefined || label === "" || label.length > 45) return true;
  if (typeof description === "string" && (description === "" || description.length > 100))
    return true;
  const { options, value, placeholder, custom_id } = component as FakeComponent & {
    options?: { label: string; value: string }[];
    value?: string;
    placeholder?: string;
  };
  if (custom_id === undefined || custom_id.length > 100) return true;
  if ((value ?? "").length > 4_000 || (placeholder ?? "").length > 100) return true;
  const list = options ?? [];
  const isSelect = component.type === 3;
  return (
    (isSelect && (list.length === 0 || list.length > 25)) ||
    ![3, 4, 19, 23].includes(component.type)
  );
}
