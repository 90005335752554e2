import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { snowflake, whatIsWrong } from "./fake-discord-guild.ts";
import type { FakeGuild } from "./fake-discord-guild.ts";
import { answerInteraction, callBack, change, no, put } from "./fake-discord-state.ts";
import type { Asked, DiscordFault, DiscordState, Said } from "./fake-discord-state.ts";

/** Serves Discord's API, its consent page and its file host. */
export async function answerDiscord(
  state: DiscordState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", state.baseUrl);
  if (url.pathname.startsWith("/attachments/")) return giveFile(state, request, url, response);
  if (url.pathname === "/oauth2/authorize") return authorize(state, url, response);
  const asked = await readAsked(request, url);
  const fault = state.faults.find(
    (one) => one.times > 0 && one.method === asked.method && one.path.test(asked.path.join("/")),
  );
  if (fault !== undefined) fault.times -= 1;
  const said = fault === undefined || fault.isDone === true ? work(state, asked) : { status: 500 };
  say(response, fault === undefined ? said : toSaid(fault));
}

function toSaid({ status, code = 0, retryAfter }: DiscordFault): Said {
  const wait = retryAfter === undefined ? {} : { retry_after: retryAfter };
  return { status, body: { message: "no", code, ...wait } };
}

async function readAsked(request: IncomingMessage, url: URL): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const type = request.headers["content-type"] ?? "";
  const asked = {
    method: request.method ?? "",
    path: url.pathname
      .replace(/^\/api\/v10\//, "")
      .split("/")
      .map(decodeURIComponent),
    url,
    authorization: request.headers.authorization ?? "",
  };
  const raw = Buffer.concat(chunks);
  if (!type.startsWith("multipart/form-data")) {
    return { ...asked, body: parse(raw.toString(), type), files: [] };
  }
  const form = await new Response(new Uint8Array(raw), {
    headers: { "content-type": type },
  }).formData();
  const file = form.get("files[0]");
  const files = file instanceof File ? [{ name: file.name, body: await file.text() }] : [];
  const payload = form.get("payload_json");
  const body = parse(typeof payload === "string" ? payload : "", "application/json");
  return { ...asked, body, files };
}

function parse(text: string, type: string): Record<string, unknown> {
  if (type.startsWith("application/x-www-form"))
    return Object.fromEntries(new URLSearchParams(text));
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function work(state: DiscordState, asked: Asked): Said {
  const [first, second = "", third = "", fourth = ""] = asked.path;
  if (first === "oauth2") return giveToken(state, asked);
  if (first === "interactions") return callBack(state, { ...asked, path: [second, third] });
  if (first === "webhooks") return answerInteraction(state, asked);
  if (asked.authorization !== `Bot ${state.botToken}`) return no(401, 0);
  if (first === "users" && second === "@me") return forMe(state, asked);
  if (first === "gateway") return tellOfGateway(state);
  if (first === "applications" && second === "@me") {
    return { status: 200, body: { id: state.applicationId, flags: state.gateway.flags } };
  }
  if (first === "applications" && second === state.applicationId && third === "guilds") {
    const guild = findGuild(state, fourth);
    if (guild === undefined) return no(403, 50_001);
    guild.commands = asked.body as unknown as FakeGuild["commands"];
    return { status: 200, body: asked.body };
  }
  if (first === "guilds") return inGuild(state, asked);
  return first === "channels" ? inChannel(state, asked) : no(404, 0);
}

function tellOfGateway({ baseUrl, gateway: { address, remaining } }: DiscordState): Said {
  const url = address ?? baseUrl.replace(/^http/, "ws");
  const limit = { total: 1_000, remaining, reset_after: 60_000, max_concurrency: 1 };
  return { status: 200, body: { url, shards: 1, session_start_limit: limit } };
}

function findGuild({ guilds }: DiscordState, id: string): FakeGuild | undefined {
  const guild = guilds.get(id);
  return guild?.isJoined === true ? guild : undefined;
}

function forMe(state: DiscordState, { method, path, body }: Asked): Said {
  if (path[2] === undefined) return { status: 200, body: { id: state.botUserId } };
  if (path[2] === "channels") {
    const channel = snowflake();
    state.direct.set(channel, String(body["recipient_id"]));
    return { status: 200, body: { id: channel } };
  }
  const guild = findGuild(state, path[3] ?? "");
  if (method !== "DELETE" || guild === undefined) return no(404, 10_004);
  guild.isJoined = false;
  return { status: 204 };
}

function inGuild(state: DiscordState, { path: [, id = "", kind, userId = ""] }: Asked): Said {
  const guild = findGuild(state, id);
  if (guild === undefined) return no(403, 50_001);
  if (kind === "roles") {
    const everyone = { id };
    const { botRole } = guild;
    return { status: 200, body: [everyone, { id: botRole, tags: { bot_id: state.botUserId } }] };
  }
  if (kind !== "members") return { status: 200, body: { id, name: guild.name } };
  const member = guild.members.get(userId);
  if (member === undefined) return no(404, 10_007);
  const user = { username: member.username, global_name: null };
  return { status: 200, body: { nick: member.nick, user } };
}

function inChannel(state: DiscordState, asked: Asked): Said {
  const { method, path, body, files, url } = asked;
  const [, channel = "", kind, messageId, within] = path;
  const onlyTo = state.direct.get(channel);
  const guild = [...state.guilds.values()].find(
    (one) => one.isJoined && (one.channels.has(channel) || onlyTo !== undefined),
  );
  if (guild === undefined) return no(404, 10_003);
  if (kind === undefined) {
    return { status: 200, body: { id: channel, type: guild.threads.has(channel) ? 11 : 0 } };
  }
  if (method === "GET") return list(guild, channel, url);
  if (within !== undefined) return atMessage(guild, { channel, messageId, within, body });
  if (onlyTo !== undefined && guild.forbidden.has("direct")) return no(403, 50_007);
  const wrong = whatIsWrong(body);
  if (wrong !== undefined) return no(400, 50_035);
  if (method === "PATCH") {
    const found = guild.posts.find(({ id }) => id === messageId);
    return found === undefined ? no(404, 10_008) : change(found, body, files);
  }
  const known = guild.posts.find(({ nonce }) => nonce !== undefined && nonce === body["nonce"]);
  if (known !== undefined) return { status: 200, body: known };
  return put(state, guild, { channel, body, files, ...(onlyTo === undefined ? {} : { onlyTo }) });
}

type AtMessage = {
  channel: string;
  messageId: string | undefined;
  within: string;
  body: Asked["body"];
};

/** Handles a reaction to a message, and a thread that is created from one. */
function atMessage(guild: FakeGuild, { channel, messageId, within, body }: AtMessage): Said {
  const post = guild.posts.find((one) => one.id === messageId && one.channel === channel);
  if (post === undefined) return no(404, 10_008);
  if (within === "reactions") {
    if (guild.forbidden.has("reactions")) return no(403, 50_013);
    guild.reactions.push(post.id);
    return { status: 204 };
  }
  if (guild.forbidden.has("threads")) return no(403, 50_013);
  if (guild.threads.has(channel)) return no(400, 50_024);
  if (guild.threads.has(post.id)) return no(400, 160_004);
  const name = body["name"];
  if (typeof name !== "string" || name === "" || name.length > 100) return no(400, 50_035);
  guild.threads.set(post.id, { parent: channel, name });
  guild.channels.add(post.id);
  return { status: 201, body: { id: post.id, type: 11 } };
}

function list({ posts }: FakeGuild, channel: string, { searchParams }: URL): Said {
  const before = searchParams.get("before") ?? "9".repeat(19);
  const after = searchParams.get("after") ?? "0";
  const found = posts.filter(
    (one) => one.channel === channel && one.id < before && one.id > after && !("onlyTo" in one),
  );
  return { status: 200, body: found.toReversed().slice(0, Number(searchParams.get("limit"))) };
}

function authorize(
  { guilds, codes, applicationId }: DiscordState,
  url: URL,
  response: ServerResponse,
) {
  const { searchParams: asked } = url;
  // The `team` parameter selects the server; by default it is the newest one.
  const guild = guilds.get(asked.get("team") ?? "") ?? [...guilds.values()].at(-1);
  const redirectUri = asked.get("redirect_uri") ?? "";
  if (guild === undefined || asked.get("client_id") !== applicationId) {
    response.writeHead(400).end("invalid");
    return;
  }
  const code = randomUUID();
  const scope = asked.get("scope") ?? "";
  codes.set(code, { guild, redirectUri, scope });
  if (scope.split(" ").includes("bot")) guild.isJoined = true;
  const back = new URL(redirectUri);
  back.searchParams.set("code", code);
  back.searchParams.set("state", asked.get("state") ?? "");
  // Changing it has no effect.
  back.searchParams.set("guild_id", guild.id);
  response.writeHead(302, { location: back.href }).end();
}

function giveToken({ codes, applicationId, clientSecret }: DiscordState, asked: Asked): Said {
  const { body, authorization } = asked;
  const basic = Buffer.from(`${applicationId}:${clientSecret}`).toString("base64");
  if (authorization !== `Basic ${basic}`) return { status: 401, body: { error: "invalid_client" } };
  const found = codes.get(String(body["code"]));
  codes.delete(String(body["code"]));
  const isValid =
    found?.redirectUri === body["redirect_uri"] && body["grant_type"] === "authorization_code";
  if (found === undefined || !isValid) return { status: 400, body: { error: "invalid_grant" } };
  const { guild, scope } = found;
  const token = { access_token: randomUUID(), token_type: "Bearer", scope };
  return { status: 200, body: { ...token, guild: { id: guild.id, name: guild.name } } };
}

function giveFile(
  state: DiscordState,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
) {
  const { authorization } = request.headers;
  if (authorization !== undefined) state.leaks.push(authorization);
  const file = state.files.get(url.pathname);
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": file.type, "content-length": file.body.length });
  response.end(file.body);
}

function say(response: ServerResponse, { status, body }: Said): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
