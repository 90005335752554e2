import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { createServer } from "node:http";
import { createFakeGuild, roomOf, snowflake } from "./fake-discord-guild.ts";
import type { FakeComponent, FakeGuild, FakeInteraction, FakePost } from "./fake-discord-guild.ts";
import { addFakeGateway } from "./fake-discord-gateway.ts";
import { createSpeaking } from "./fake-discord-speech.ts";
import type { Speaking } from "./fake-discord-speech.ts";
import { takeResponse } from "./fake-discord-state.ts";
import type { DiscordState } from "./fake-discord-state.ts";
import { answerDiscord } from "./fake-discord-web.ts";

export {
  addMember,
  buttonsOf,
  roomOf,
  textIn,
  snowflake,
  whatIsWrong,
} from "./fake-discord-guild.ts";
export type { FakeGuild, FakeInteraction, FakePost } from "./fake-discord-guild.ts";

/** Options for sending a request differently from Discord. */
type HowSigned = { timestamp?: number; alteredBody?: string; signature?: string };

type Asking = {
  channel?: string;
  /** Discord's type of the channel: 11 is a thread. */
  channelType?: number;
  files?: { name: string; type: string; body: Buffer }[];
  /** When it was sent, in milliseconds. */
  at?: number;
};

/** A fake Discord: strict about tokens and messages, with signed requests. */
export type FakeDiscord = DiscordState &
  Speaking & {
    /** The settings of a service that uses it. */
    settings: Record<string, string>;
    /** The URL of the service, which receives interactions. */
    appUrl: string;
    addGuild(name: string): FakeGuild;
    send(body: string, how?: HowSigned): Promise<{ status: number; text: string }>;
    /** Sends an interaction and returns the response. */
    interact(
      guild: FakeGuild,
      user: string,
      interaction: object,
      how?: Asking,
    ): Promise<FakeInteraction>;
    /** Sends the slash command as a user. */
    ask(guild: FakeGuild, user: string, text: string, how?: Asking): Promise<FakeInteraction>;
    press(
      guild: FakeGuild,
      user: string,
      post: FakePost,
      customId: string,
    ): Promise<FakeInteraction>;
    /** Sends a modal with values by the labels of its fields. */
    fillIn(
      from: FakeInteraction,
      values: Readonly<Record<string, unknown>>,
      files?: Asking["files"],
    ): Promise<FakeInteraction>;
    close(): Promise<void>;
  };

/** Starts a fake without any servers. */
export async function startFakeDiscord(): Promise<FakeDiscord> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const server = createServer();
  const known = { baseUrl: "", botUserId: snowflake(), botToken: `bot.${randomUUID()}` };
  const state: DiscordState = Object.assign(known, {
    applicationId: snowflake(),
    clientSecret: "discord-client-secret-of-the-test",
    guilds: new Map(),
    codes: new Map(),
    interactions: new Map(),
    direct: new Map(),
    files: new Map(),
    faults: [],
    leaks: [],
    gateway: addFakeGateway(server, known),
  });
  server.on("request", (request, response) => {
    answerDiscord(state, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  state.baseUrl = `http://127.0.0.1:${port}`;
  const x = publicKey.export({ format: "jwk" }).x ?? "";
  const send = createSender(privateKey, () => fake.appUrl);
  const fake: FakeDiscord = Object.assign(state, {
    settings: {
      DISCORD_APPLICATION_ID: state.applicationId,
      DISCORD_PUBLIC_KEY: Buffer.from(x, "base64url").toString("hex"),
      DISCORD_BOT_TOKEN: state.botToken,
      DISCORD_CLIENT_SECRET: state.clientSecret,
      DISCORD_API_URL: `${state.baseUrl}/api/v10/`,
    },
    appUrl: "",
    addGuild: (name: string) => {
      const guild = createFakeGuild(name);
      state.guilds.set(guild.id, guild);
      return guild;
    },
    send,
    ...createActing(state, send),
    ...createSpeaking(state, (files) => Object.values(keepFiles(state, files).attachments)),
    close: async () => {
      state.gateway.cut();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return fake;
}

function createSender(privateKey: KeyObject, appUrl: () => string): FakeDiscord["send"] {
  return async (body, how = {}) => {
    const timestamp = String(how.timestamp ?? Math.floor(Date.now() / 1_000));
    const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString("hex");
    const response = await fetch(`${appUrl()}/bot/discord/interactions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-signature-timestamp": timestamp,
        "x-signature-ed25519": how.signature ?? signature,
      },
      body: how.alteredBody ?? body,
    });
    return { status: response.status, text: await response.text() };
  };
}

function createInteracting(
  state: DiscordState,
  send: FakeDiscord["send"],
): FakeDiscord["interact"] {
  return async (guild, user, given, how = {}) => {
    const channel = how.channel ?? roomOf(guild);
    const token = `${randomUUID()}.${randomUUID()}`;
    const id = snowflake(how.at);
    const interaction: FakeInteraction = {
      id,
      token,
      guild,
      channel,
      user,
      type: undefined,
      original: undefined,
      modal: undefined,
      isPlaceholder: false,
      isOver: false,
    };
    state.interactions.set(id, interaction);
    const body = {
      id,
      token,
      application_id: state.applicationId,
      version: 1,
      guild_id: guild.id,
      channel_id: channel,
      channel: { id: channel, type: how.channelType ?? 0 },
      member: { user: { id: user, username: guild.members.get(user)?.username } },
      ...given,
    };
    const { status, text } = await send(JSON.stringify(body));
    if (status === 202 && text === "") return interaction;
    if (status !== 200) throw new Error(`${status} ${text}`);
    const wrong = takeResponse(state, interaction, JSON.parse(text) as { type: number });
    if (wrong !== undefined) throw new Error(`Discord would not take ${wrong}: ${text}`);
    return interaction;
  };
}

function createActing(state: DiscordState, send: FakeDiscord["send"]) {
  const interact = createInteracting(state, send);
  const ask: FakeDiscord["ask"] = (guild, user, text, how = {}) => {
    const { ids, attachments } = keepFiles(state, how.files ?? []);
    const options = ids.map((value, n) => ({
      name: n === 0 ? "file" : `file${n + 1}`,
      type: 11,
      value,
    }));
    const data = {
      id: snowflake(),
      type: 1,
      name: "toolhost",
      options: [{ name: "text", type: 3, value: text }, ...options],
      resolved: { attachments },
    };
    return interact(guild, user, { type: 2, data }, how);
  };
  const press: FakeDiscord["press"] = (guild, user, { id, channel }, customId) => {
    const data = { component_type: 2, custom_id: customId };
    return interact(guild, user, { type: 3, data, message: { id } }, { channel });
  };
  const fillIn: FakeDiscord["fillIn"] = (from, values, files = []) => {
    const { guild, user, channel } = from;
    return interact(
      guild,
      user,
      { type: 5, data: toSubmission(state, from, values, files) },
      { channel },
    );
  };
  return { interact, ask, press, fillIn };
}

function toSubmission(
  state: DiscordState,
  { modal }: FakeInteraction,
  values: Readonly<Record<string, unknown>>,
  files: NonNullable<Asking["files"]>,
): object {
  if (modal === undefined) throw new Error("There is no modal");
  const { ids, attachments } = keepFiles(state, files);
  const components = (modal.components ?? []).map(({ type, label = "", component }) => {
    if (component === undefined) return { type };
    const given = component.type === 19 ? { values: ids } : valueIn(component, values[label]);
    return { type, component: { type: component.type, custom_id: component.custom_id, ...given } };
  });
  return { custom_id: modal.custom_id, components, resolved: { attachments } };
}

/** The selected value, or the field's initial one. */
function valueIn(component: FakeComponent, value: unknown): object {
  if (component.type === 3) return { values: value === undefined ? [] : [value].flat() };
  if (component.type === 23) return { value: value ?? component["default"] ?? false };
  return { value: value ?? component["value"] ?? "" };
}

function keepFiles(state: DiscordState, files: NonNullable<Asking["files"]>) {
  const attachments: Record<string, object> = {};
  const ids = files.map(({ name, type, body }) => {
    const id = snowflake();
    const path = `/attachments/${id}/${encodeURIComponent(name)}`;
    state.files.set(path, { name, type, body });
    const url = `${state.baseUrl}${path}?ex=1&hm=2`;
    attachments[id] = { id, filename: name, content_type: type, size: body.length, url };
    return id;
  });
  return { ids, attachments };
}
