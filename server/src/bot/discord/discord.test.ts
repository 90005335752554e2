import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { inboxOf, authorizeOnPlatform, drainInbox, soon } from "#testing/chat";
import { addLinkedMember, connectGuild, linkFor, stateOf as stateIn } from "#testing/discord-chat";
import {
  addMember,
  buttonsOf,
  roomOf,
  textIn,
  snowflake,
  startFakeDiscord,
} from "#testing/fake-discord";
import type { FakeDiscord, FakeGuild, FakeInteraction, FakePost } from "#testing/fake-discord";
import { startTestService } from "#testing/service";
import { unusedModel } from "#testing/fake-model";
import type { TestService } from "#testing/service";

let test: TestService;
let discord: FakeDiscord;
let guild: FakeGuild;
let user: string;
let userId: string;
let tool: string;

const minute = 60_000;
const chatOf = (workspaceId = test.workspaceId) => `/workspaces/${workspaceId}/chat`;

beforeAll(async () => {
  discord = await startFakeDiscord();
  test = await startTestService({ ...discord.settings, ...unusedModel });
  discord.appUrl = test.baseUrl;
  guild = await connect("Gamers");
  ({ user, userId } = await addLinked(guild));
  tool = await test.makeTool("export default async (input) => ({ got: input });");
});
afterAll(async () => {
  await test.stop();
  await discord.close();
});

const visit = (callback: string, cookie: string) =>
  fetch(callback, { headers: { cookie }, redirect: "manual" });

const connect = (name: string) => connectGuild(test, discord, name);
const stateOf = (one: FakeGuild) => stateIn(test, one);
const addLinked = (one: FakeGuild) => addLinkedMember(test, discord, one);

/** The answer to a command, once it is there. */
const answerTo = (asked: FakeInteraction): Promise<FakePost> =>
  vi.waitUntil(() => asked.original, soon);

const drain = () => drainInbox(test);

describe("connecting a server", () => {
  it("connects it to the workspace and registers the commands", async () => {
    expect(await stateOf(guild)).toMatchObject({
      platform: "discord",
      teamName: "Gamers",
      state: "active",
    });
    expect(guild.commands.map(({ name }) => name)).toEqual(["toolhost", "Ask Toolhost"]);
    const platforms = await test.callAsOwner("GET", `${chatOf()}/platforms`);
    expect(platforms.body).toContainEqual(
      expect.objectContaining({
        platform: "discord",
        isConfigured: true,
        providesEmails: false,
      }),
    );
    const rows = await test.service.context.db.kysely
      .selectFrom("chat_connections")
      .selectAll()
      .execute();
    expect(JSON.stringify(rows)).not.toContain(discord.botToken);
  });

  it("accepts a state once, from the browser that started, and only the server of the grant", async () => {
    const made = discord.addGuild("Bound");
    const other = discord.addGuild("Another");
    const { callback, cookies } = await authorizeOnPlatform(test, {
      platform: "discord",
      teamId: made.id,
    });
    expect((await visit(callback, test.cookie)).status).toBe(403);
    const forged = new URL(callback);
    forged.searchParams.set("guild_id", other.id);
    expect((await visit(forged.href, cookies)).status).toBe(200);
    expect((await visit(callback, cookies)).status).toBe(404);
    expect(await stateOf(made)).toMatchObject({ state: "active" });
    expect(await stateOf(other)).toBeUndefined();
  });

  it("reports a refusal of Discord, and refuses a server of another workspace", async () => {
    const made = discord.addGuild("Refusing");
    const { callback, cookies } = await authorizeOnPlatform(test, {
      platform: "discord",
      teamId: made.id,
    });
    const wrong = new URL(callback);
    wrong.searchParams.set("code", "wrong");
    expect((await visit(wrong.href, cookies)).status).toBe(422);
    expect(await stateOf(made)).toBeUndefined();
    const elsewhere = await test.addWorkspace();
    const owner = await test.addSignedIn(elsewhere, "owner");
    const asked = { platform: "discord", teamId: guild.id };
    const again = await authorizeOnPlatform(test, asked, owner, elsewhere);
    expect((await visit(again.callback, again.cookies)).status).toBe(409);
    expect(await stateOf(guild)).toMatchObject({ state: "active" });
  });

  it("returns 404 on a server without Discord settings", async () => {
    const bare = await startTestService();
    try {
      const url = `${bare.baseUrl}/bot/discord/interactions`;
      expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(404);
      const manifest = await (await fetch(`${bare.baseUrl}/bot/discord/manifest`)).json();
      expect(manifest).toMatchObject({
        interactions_endpoint_url: url,
        redirect_uris: [`${bare.baseUrl}/bot/discord/callback`],
      });
    } finally {
      await bare.stop();
    }
  });
});

describe("a request without a valid signature", () => {
  const ping = () =>
    JSON.stringify({ type: 1, id: "1", token: "x", application_id: discord.applicationId });
  it.each([
    ["signed with another key", { signature: "ab".repeat(64) }],
    ["without a signature", { signature: "" }],
    ["signed ten minutes ago", { timestamp: Math.floor(Date.now() / 1_000) - 600 }],
    ["signed ten minutes from now", { timestamp: Math.floor(Date.now() / 1_000) + 600 }],
    ["altered in transit", { alteredBody: '{"type":1}' }],
  ])("returns 401 when %s", async (_, how) => {
    expect((await discord.send(ping(), how)).status).toBe(401);
  });

  it("is refused for another application too, and a ping is answered", async () => {
    const foreign = ping().replace(discord.applicationId, "1");
    expect((await discord.send(foreign)).status).toBe(400);
    const { status, text } = await discord.send(ping());
    expect([status, JSON.parse(text)]).toEqual([200, { type: 1 }]);
  });
});

describe("a command", () => {
  it("is in the inbox before it is acknowledged, and its result replaces the placeholder", async () => {
    const asked = await discord.ask(guild, user, `run ${tool} {"n": 41}`);
    expect(asked.type).toBe(5);
    const answer = await answerTo(asked);
    expect(textIn(answer)).toContain("41");
    const events = await test.call("GET", "/audit-events?action=run.create&limit=1");
    expect(events.body[0]).toMatchObject({
      via: "bot",
      actor: { userId, chatUserId: `discord:${guild.id}/${user}` },
    });
  });

  it("receives one response when delivered twice", async () => {
    const data = {
      type: 1,
      name: "toolhost",
      options: [{ name: "text", value: `run ${tool} {"two": 2}` }],
    };
    const body = JSON.stringify({
      type: 2,
      id: snowflake(),
      token: "the-same",
      application_id: discord.applicationId,
      guild_id: guild.id,
      channel_id: roomOf(guild),
      member: { user: { id: user } },
      data,
    });
    const added = await inboxOf(test, async () => {
      const sent = await Promise.all([discord.send(body), discord.send(body), discord.send(body)]);
      expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    });
    expect(added).toBe(1);
    await drain();
  });

  it("shows an unknown user the account link only to them, and runs nothing", async () => {
    const stranger = addMember(guild, "stranger");
    const asked = await discord.ask(guild, stranger, `run ${tool}`);
    expect(await vi.waitUntil(() => linkFor(guild, stranger), soon)).toContain("/bot/link?token=");
    expect(textIn(await answerTo(asked))).not.toContain("token");
    const open = guild.posts.filter(({ onlyTo }) => onlyTo === undefined);
    expect(JSON.stringify(open)).not.toContain("/bot/link?token=");
  });

  it("fails immediately in a server that is not connected, or outside of servers", async () => {
    const strangers = discord.addGuild("Strangers");
    const added = await inboxOf(test, async () => {
      expect((await discord.ask(strangers, addMember(strangers), "hello")).type).toBe(4);
      const outside = { guild_id: undefined, member: undefined, type: 2, data: {} };
      expect((await discord.interact(guild, user, outside)).type).toBe(4);
    });
    expect(added).toBe(0);
  });

  it("stores no interaction token in plain text, also while it waits", async () => {
    const asked = await discord.ask(guild, user, "what is there");
    const { db } = test.service.context;
    const rows = await db.kysely.selectFrom("chat_inbox").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(asked.token);
    await answerTo(asked);
    await drain();
  });

  it("receives the earlier messages of its thread", async () => {
    const thread = snowflake();
    guild.channels.add(thread);
    const how = { channel: thread, channelType: 11 };
    await answerTo(await discord.ask(guild, user, `run ${tool} {"first": 1}`, how));
    await answerTo(await discord.ask(guild, user, `run ${tool} {"second": 2}`, how));
    await drain();
    const rows = await test.service.context.db.kysely
      .selectFrom("chat_messages")
      .select(["author", "text"])
      .where("thread", "=", thread)
      .orderBy("message_id")
      .execute();
    expect(rows.map(({ author }) => author)).toEqual([user, "bot", user, "bot"]);
  });
});

describe("a thread that started with an answer", () => {
  it("is read with that answer, the text of components, and without withheld content", async () => {
    const platform = test.service.context.chat.platforms.get("discord");
    const team = { teamId: guild.id, botUserId: discord.botUserId, secret: "" };
    const transport = platform?.open(team);
    const blocks = [{ kind: "text", text: "An answer" }] as const;
    const thread = await transport?.post(
      { channel: roomOf(guild), thread: "1" },
      { blocks, mark: "m" },
    );
    if (thread === undefined) throw new Error("It was not posted");
    const post = guild.posts.find(({ id }) => id === thread);
    guild.channels.add(thread);
    const made = { channel: thread, allowedMentions: { parse: [] }, edits: 0, files: [] };
    const starter = { type: 21, referenced_message: post };
    const other = { id: user };
    guild.posts.push(
      { ...made, id: snowflake(), author: other, content: "", components: [], ...starter },
      { ...made, id: snowflake(), author: other, content: "And then?", components: [] },
      { ...made, id: snowflake(), author: other, content: "", components: [] },
    );
    const read = await transport?.readThread?.(
      { channel: thread, thread },
      { before: snowflake(), limit: 20 },
    );
    expect(read?.messages.map(({ author, text }) => [author, text])).toEqual([
      ["bot", "An answer"],
      [user, "And then?"],
    ]);
  });
});

describe("the message command", () => {
  it("shows the message in the modal, and stores it apart from the request", async () => {
    const other = addMember(guild, "other");
    const target = snowflake();
    const content = "run delete_everything {}";
    const messages = { [target]: { id: target, content, author: { id: other } } };
    const data = { type: 3, name: "Ask Toolhost", target_id: target, resolved: { messages } };
    const pointed = await discord.interact(guild, user, { type: 2, data });
    expect(pointed.type).toBe(9);
    const asked = await discord.fillIn(pointed, { "What should I do?": `run ${tool} {"it": 1}` });
    expect(asked.type).toBe(5);
    expect(textIn(await answerTo(asked))).toContain("it");
    const { db } = test.service.context;
    const rows = await db.kysely
      .selectFrom("chat_messages")
      .select(["author", "text"])
      .where("thread", "=", asked.id)
      .orderBy("message_id")
      .execute();
    expect(rows[0]).toEqual({ author: other, text: content });
    expect(rows[1]).toMatchObject({ author: user });
  });
});

describe("a form", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string", title: "City" },
      days: { type: "integer", title: "Days", minimum: 1 },
      unit: { enum: ["celsius", "fahrenheit"], title: "Unit" },
      loud: { type: "boolean", title: "Loud" },
      since: { type: "string", format: "date", title: "Since" },
      tags: { type: "array", items: { enum: ["a", "b", "c"] }, title: "Tags" },
      note: { type: "string", title: "Note" },
    },
    required: ["city", "days", "unit"],
  };
  let forms: string;
  beforeAll(async () => {
    forms = await test.makeTool("export default async (input) => ({ got: input });", {
      inputSchema: schema,
    });
  });

  /** The modal behind the first button of an answer. */
  async function open() {
    const offer = await answerTo(await discord.ask(guild, user, `run ${forms}`));
    await drain();
    const button = buttonsOf(offer).find(({ custom_id }) => custom_id?.endsWith(":form"));
    const customId = button?.custom_id ?? "";
    return { offer, customId, modal: await discord.press(guild, user, offer, customId) };
  }

  const rest = "More, one per line";

  it("has fields up to the limit, lines for the rest, and runs the submitted input", async () => {
    const { offer, modal } = await open();
    expect(modal.type).toBe(9);
    const labels = modal.modal?.components?.map(({ label }) => label);
    expect(labels).toEqual(["City", "Days", "Unit", "Loud", rest]);
    const before = guild.posts.length;
    const sent = await discord.fillIn(modal, {
      City: "Bonn",
      Days: "3",
      Unit: "1",
      Loud: true,
      [rest]: "since: 2026-01-31\ntags: a, C\nnote: two\nlines",
    });
    expect(sent.type).toBe(6);
    await drain();
    const said = guild.posts.slice(before).map(textIn).join("\n");
    const runs = await test.call("GET", "/runs?limit=1");
    const run = await test.call("GET", `/runs/${String(runs.body[0].runId)}`);
    expect(run.body.input).toEqual({
      city: "Bonn",
      days: 3,
      unit: "fahrenheit",
      loud: true,
      since: "2026-01-31",
      tags: ["a", "c"],
      note: "two\nlines",
    });
    expect(said).toContain("Bonn");
    expect(buttonsOf(offer)).toEqual([]);
  });

  it("lists problems by field, with a button to open it again", async () => {
    const { modal } = await open();
    const wrong = { City: "Bonn", Days: "many", Unit: "0" };
    const told = await discord.fillIn(modal, { ...wrong, [rest]: "since: tomorrow" });
    expect(told.type).toBe(4);
    const shown = guild.posts.at(-1);
    expect(shown).toMatchObject({ onlyTo: user });
    expect(shown === undefined ? "" : textIn(shown)).toContain("Since: Enter a date");
    const back = shown === undefined ? "" : (buttonsOf(shown)[0]?.custom_id ?? "");
    const again = await discord.press(guild, user, shown ?? (await open()).offer, back);
    expect((await discord.fillIn(again, wrong)).type).toBe(4);
    expect(textIn(guild.posts.at(-1) ?? (await open()).offer)).toContain("Days: Enter a number");
    expect((await discord.fillIn(again, { ...wrong, Days: "2" })).type).toBe(6);
    await drain();
    expect((await discord.fillIn(again, { ...wrong, Days: "2" })).type).toBe(4);
  });

  it("is refused for anyone but the person who asked", async () => {
    const { offer, customId, modal } = await open();
    const { user: other } = await addLinked(guild);
    const pressed = await discord.press(guild, other, offer, customId);
    expect(pressed).toMatchObject({ type: 4, modal: undefined });
    expect(guild.posts.at(-1)).toMatchObject({ onlyTo: other });
    const added = await inboxOf(test, async () => {
      const stolen = { ...modal, user: other };
      expect((await discord.fillIn(stolen, { City: "x", Days: "1", Unit: "0" })).type).toBe(4);
    });
    expect(added).toBe(0);
  });
});

describe("a file", () => {
  it("downloads without a token from a command, and appears in the channel when saved", async () => {
    const copy = await test.makeTool(
      `export default async ({ file }, ctx) => {
        const text = await (await ctx.files.open(file)).text();
        return { copy: await ctx.files.save({ name: "copy.txt", mimeType: "text/plain", body: text + text }) };
      };`,
      {
        inputSchema: {
          type: "object",
          properties: { file: { type: "string" } },
          required: ["file"],
        },
        fileFields: ["file"],
      },
    );
    const files = [{ name: "a b.txt", type: "text/plain", body: Buffer.from("twice ") }];
    const asked = await discord.ask(guild, user, `run ${copy}`, { files });
    const offer = await answerTo(asked);
    const run = buttonsOf(offer).find(({ custom_id }) => custom_id?.endsWith(":run"));
    if (run?.custom_id !== undefined) await discord.press(guild, user, offer, run.custom_id);
    const sent = await vi.waitUntil(
      () => guild.posts.flatMap((post) => post.files).find(({ name }) => name === "copy.txt"),
      soon,
    );
    expect(sent.body).toBe("twice twice ");
    expect(discord.leaks).toEqual([]);
  });

  it("causes no request to another host", async () => {
    const platform = test.service.context.chat.platforms.get("discord");
    const transport = platform?.open({ teamId: guild.id, botUserId: "1", secret: "" });
    for (const id of [
      "https://evil.example/a",
      "http://cdn.discordapp.com/a",
      "file:///etc/passwd",
    ]) {
      await expect(transport?.downloadFile({ id }, 1_000)).rejects.toThrow(/not Discord's/);
    }
  });
});

describe("the bot when Discord fails", () => {
  it("posts the answer once, after rate limits and errors", { tags: ["nightly"] }, async () => {
    discord.faults.push(
      { method: "PATCH", path: /@original/, times: 1, status: 429, retryAfter: 0.2 },
      { method: "PATCH", path: /@original/, times: 1, status: 500, isDone: true },
    );
    const asked = await discord.ask(guild, user, `run ${tool} {"late": 1}`);
    await answerTo(asked);
    await drain();
    const answers = guild.posts.filter((post) => textIn(post).includes("late"));
    expect(answers).toHaveLength(1);
  });

  it("posts the answer as a message once the interaction token has expired", async () => {
    const asked = await discord.ask(guild, user, `run ${tool} {"over": 1}`, {
      at: Date.now() - 20 * minute,
    });
    await drain();
    expect(asked.original).toBeUndefined();
    expect(textIn(guild.posts.at(-1) ?? (await answerTo(asked)))).toContain("over");
    discord.faults.push({
      method: "PATCH",
      path: /@original/,
      times: 1,
      status: 401,
      code: 50_027,
    });
    const early = await discord.ask(guild, user, `run ${tool} {"early": 1}`);
    await drain();
    expect(early.original).toBeUndefined();
    expect(textIn(guild.posts.at(-1) ?? (await answerTo(early)))).toContain("early");
  });

  it("loses the response to a post, it is repeated immediately, and there is still one message", async () => {
    discord.faults.push({
      method: "POST",
      path: /^channels\/\d+\/messages$/,
      times: 1,
      status: 500,
      isDone: true,
    });
    await discord.ask(guild, user, `run ${tool} {"lost": 1}`, { at: Date.now() - 20 * minute });
    await drain();
    expect(guild.posts.filter((post) => textIn(post).includes("lost"))).toHaveLength(1);
    const { kysely } = test.service.context.db;
    const job = kysely.selectFrom("chat_inbox").select("attempt").orderBy("id", "desc");
    expect((await job.executeTakeFirst())?.attempt).toBe(1);
  });

  it("creates a dead letter for an unknown channel, and stays connected to the server", async () => {
    const gone = snowflake();
    await discord.ask(guild, user, "hello", { channel: gone, at: Date.now() - 20 * minute });
    await drain();
    const { body } = await test.callAsOwner("GET", `${chatOf()}/dead-letters`);
    expect(body[0]).toMatchObject({ kind: "message", problem: expect.stringContaining("10003") });
    expect(await stateOf(guild)).toMatchObject({ state: "active" });
  });

  it("has removed the bot from the server, the connection is broken", async () => {
    const leaving = await connect("Leaving");
    const { user: member } = await addLinked(leaving);
    leaving.isJoined = false;
    await discord.ask(leaving, member, `run ${tool} {}`, { at: Date.now() - 20 * minute });
    await vi.waitFor(async () => {
      expect(await stateOf(leaving)).toMatchObject({
        state: "broken",
        problem: expect.stringContaining("no longer in the server"),
      });
    }, soon);
  });
});

describe("the output of a tool", () => {
  it("has no mentions or masked links, and cannot close its block", async () => {
    const hostile = "@everyone <@1> [bank](https://evil.example) ``` ``` **x** <#2> || </x:3>";
    const evil = await test.makeTool(
      `export default async () => { throw new Error(${JSON.stringify(hostile)}); };`,
    );
    const answer = await answerTo(await discord.ask(guild, user, `run ${evil} {}`));
    const said = textIn(answer);
    expect(answer.allowedMentions).toEqual({ parse: [] });
    expect(said.match(/```/g)?.length).toBe(2);
    const outside = said.replaceAll(/```[\s\S]*?```/g, "");
    expect(outside).not.toMatch(/(^|[^\\])<[@#/]|(^|[^\\])@everyone|\]\(/);
  });
});

describe("disconnecting", () => {
  it("removes the bot from the server", { tags: ["nightly"] }, async () => {
    const ended = await connect("Ended");
    const { id } = (await stateOf(ended)) ?? { id: "" };
    expect((await test.callAsOwner("DELETE", `${chatOf()}/${id}`)).status).toBe(204);
    await vi.waitUntil(() => !ended.isJoined, soon);
  });
});
