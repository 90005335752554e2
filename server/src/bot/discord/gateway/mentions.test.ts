import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { countInbox, drainInbox, soon } from "#testing/chat";
import { addLinkedMember, connectGuild, linkFor, stateOf } from "#testing/discord-chat";
import {
  addMember,
  buttonsOf,
  roomOf,
  textIn,
  snowflake,
  startFakeDiscord,
} from "#testing/fake-discord";
import type { FakeDiscord, FakeGuild, FakePost } from "#testing/fake-discord";
import { startTestService } from "#testing/service";
import { unusedModel } from "#testing/fake-model";
import type { TestService } from "#testing/service";

let test: TestService;
let discord: FakeDiscord;
let guild: FakeGuild;
let user: string;
let tool: string;

beforeAll(async () => {
  discord = await startFakeDiscord();
  // The application may read all messages.
  discord.gateway.flags = 1 << 19;
  test = await startTestService({ ...discord.settings, ...unusedModel });
  discord.appUrl = test.baseUrl;
  guild = await connectGuild(test, discord, "Gamers");
  ({ user } = await addLinkedMember(test, discord, guild));
  tool = await test.makeTool("export default async (input) => ({ got: input });");
  await connected();
});
afterAll(async () => {
  await test.stop();
  await discord.close();
});
beforeEach(() => guild.forbidden.clear());
afterEach(() => waitForRuns(25_000));

/** How long an answer waits for a run before it promises the result in a later message. */
const waitForRuns = (ms: number) => Object.assign(test.service.context.config, { RUN_WAIT_MS: ms });

const connected = () => vi.waitUntil(() => discord.gateway.connected() === 1, soon);
const answersIn = (channel: string) =>
  guild.posts.filter((post) => post.channel === channel && post.author.id === discord.botUserId);
const answerIn = (channel: string): Promise<FakePost> =>
  vi.waitUntil(() => answersIn(channel)[0], soon);

/** The stored messages of a thread, oldest first. */
const storedMessagesOf = (thread: string) =>
  test.service.context.db.kysely
    .selectFrom("chat_messages")
    .select(["author", "text"])
    .where("thread", "=", thread)
    .orderBy("message_id")
    .execute();

describe("a mention in a channel", () => {
  it("gets a reaction, and is answered in a new thread that mentions the author", async () => {
    const asked = discord.mention(guild, user, `run ${tool} {"n": 41}`);
    await vi.waitUntil(() => guild.reactions.includes(asked.id), soon);
    const answer = await answerIn(asked.id);
    expect(textIn(answer)).toContain("41");
    expect(answer.allowedMentions).toEqual({ parse: [], users: [user] });
    expect(guild.threads.get(asked.id)).toEqual({
      parent: roomOf(guild),
      name: `run ${tool} {"n": 41}`,
    });
    const { body } = await test.call("GET", "/audit-events?action=run.create&limit=1");
    expect(body[0]).toMatchObject({ actor: { chatUserId: `discord:${guild.id}/${user}` } });
  });

  it("continues in the thread by mentions, commands and buttons, with its earlier messages", async () => {
    const first = discord.mention(guild, user, `run ${tool} {"first": 1}`);
    await answerIn(first.id);
    const thread = { channel: first.id };
    discord.speak(guild, user, "and what a fine answer", thread);
    discord.mention(guild, user, `run ${tool} {"second": 2}`, thread);
    await vi.waitUntil(() => answersIn(first.id).length === 2, soon);
    await discord.ask(guild, user, `run ${tool} {"third": 3}`, { ...thread, channelType: 11 });
    await vi.waitUntil(() => answersIn(first.id).length === 3, soon);
    await drainInbox(test);
    const stored = await storedMessagesOf(first.id);
    const words = [`run ${tool} {"first": 1}`, "fine answer", `run ${tool} {"second": 2}`];
    expect(stored.map(({ author }) => author)).toEqual([
      user,
      "bot",
      user,
      user,
      "bot",
      user,
      "bot",
    ]);
    const texts = stored.filter(({ author }) => author === user).map(({ text }) => text);
    expect(texts).toEqual(
      [...words, `run ${tool} {"third": 3}`].map((one) => expect.stringContaining(one)),
    );
    expect([...guild.threads.values()].filter(({ parent }) => parent === first.id)).toEqual([]);
  });

  it("includes its files, and separately the message that it replies to", async () => {
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
    const other = addMember(guild, "other");
    const replyTo = discord.speak(guild, other, `run ${tool} {"hostile": true}`);
    const files = [{ name: "a.txt", type: "text/plain", body: Buffer.from("twice ") }];
    const asked = discord.mention(guild, user, `run ${copy}`, { files, replyTo });
    const offer = await answerIn(asked.id);
    const run = buttonsOf(offer).find(({ custom_id }) => custom_id?.endsWith(":run"));
    if (run?.custom_id !== undefined) await discord.press(guild, user, offer, run.custom_id);
    const sent = await vi.waitUntil(
      () =>
        answersIn(asked.id)
          .flatMap((post) => post.files)
          .find(({ name }) => name === "copy.txt"),
      soon,
    );
    expect(sent.body).toBe("twice twice ");
    const stored = await storedMessagesOf(asked.id);
    expect(stored[0]).toEqual({ author: other, text: `run ${tool} {"hostile": true}` });
    expect(stored[1]).toEqual({ author: user, text: `run ${copy}` });
  });

  it("works through the bot's own role", async () => {
    const asked = discord.speak(guild, user, `<@&${guild.botRole}> run ${tool} {"role": 1}`);
    expect(textIn(await answerIn(asked.id))).toContain("role");
  });

  it("causes a direct message to an unknown user, without a thread", async () => {
    const stranger = addMember(guild, "stranger");
    const asked = discord.mention(guild, stranger, `run ${tool}`);
    expect(await vi.waitUntil(() => linkFor(guild, stranger), soon)).toContain("/bot/link?token=");
    guild.forbidden.add("direct");
    const closed = discord.mention(guild, addMember(guild, "closed"), `run ${tool}`);
    const notice = await vi.waitUntil(
      () => guild.posts.find(({ replyTo }) => replyTo === closed.id),
      soon,
    );
    expect(textIn(notice)).toContain("/toolhost");
    expect(textIn(notice)).not.toContain("/bot/link");
    expect([guild.threads.has(asked.id), guild.threads.has(closed.id)]).toEqual([false, false]);
  });
});

describe("a message that is not for the bot", () => {
  it("is not answered: from bots, webhooks and Discord, to everyone or others, or in servers that are not connected", async () => {
    await drainInbox(test);
    const before = await countInbox(test);
    const text = `run ${tool} {"never": 1}`;
    const mention = `<@${discord.botUserId}> ${text}`;
    discord.mention(guild, user, text, { as: { author: { id: user, bot: true } } });
    discord.mention(guild, user, text, { as: { webhook_id: snowflake() } });
    discord.mention(guild, user, text, { as: { type: 7 } });
    discord.mention(guild, user, text, { as: { guild_id: undefined } });
    discord.mention(guild, user, text, { as: { id: "not an id" } });
    discord.speak(guild, user, `@everyone ${text}`);
    discord.speak(guild, user, `<@${addMember(guild)}> ${text}`);
    discord.speak(guild, user, `<@&${guild.id}> ${text}`);
    const strangers = discord.addGuild("Strangers");
    strangers.isJoined = true;
    discord.speak(strangers, addMember(strangers), mention);
    discord.gateway.dispatch("MESSAGE_CREATE", { unknown: "fields" });
    // A later message is answered, so all earlier ones have been handled.
    const last = discord.mention(guild, user, `run ${tool} {"last": 1}`);
    await answerIn(last.id);
    await drainInbox(test);
    expect((await countInbox(test)) - before).toBe(1);
  });

  it("is stored only in threads of the bot, and updated when it is edited or deleted", async () => {
    const asked = discord.mention(guild, user, `run ${tool} {"kept": 1}`);
    await answerIn(asked.id);
    await drainInbox(test);
    const other = addMember(guild, "other");
    const thread = { channel: asked.id };
    const elsewhere = discord.speak(guild, other, "elsewhere");
    const changed = discord.speak(guild, other, "first version", thread);
    const deleted = discord.speak(guild, other, "deleted", thread);
    const author = { id: other };
    const of = ({ id, channel }: FakePost) => ({ id, channel_id: channel, guild_id: guild.id });
    const edit = { ...of(changed), type: 0, author, content: `second for <@${other}>` };
    discord.gateway.dispatch("MESSAGE_UPDATE", {
      ...edit,
      mentions: [{ id: other, username: "eve" }],
    });
    discord.gateway.dispatch("MESSAGE_DELETE", of(deleted));
    discord.gateway.dispatch("MESSAGE_UPDATE", {
      ...of(asked),
      type: 0,
      author,
      content: "edited",
    });
    await vi.waitFor(async () => {
      const stored = (await storedMessagesOf(asked.id)).map(({ text }) => text);
      expect([stored[0], ...stored.slice(2)]).toEqual(["edited", "second for @eve"]);
    }, soon);
    expect(await storedMessagesOf(elsewhere.channel)).toEqual([]);
  });
});

describe("the bot with missing permissions", () => {
  it("answers a mention without a reaction", async () => {
    guild.forbidden.add("reactions");
    const asked = discord.mention(guild, user, `run ${tool} {"unseen": 1}`);
    expect(textIn(await answerIn(asked.id))).toContain("unseen");
    expect(guild.reactions).not.toContain(asked.id);
  });

  it("replies in the channel if it cannot create threads, also later", async () => {
    guild.forbidden.add("threads");
    const slow = await test.makeTool(
      "export default async () => { await new Promise((r) => setTimeout(r, 1500)); return { slow: 'done' }; };",
    );
    waitForRuns(0);
    const asked = discord.mention(guild, user, `run ${slow} {}`);
    const replies = () => guild.posts.filter(({ replyTo }) => replyTo === asked.id);
    await vi.waitUntil(() => replies().length === 2, soon);
    await drainInbox(test);
    const [running, ended] = replies();
    expect(replies()).toHaveLength(2);
    expect(running && textIn(running)).toContain("finished; result below");
    expect(ended && textIn(ended)).toContain("done");
    expect(guild.threads.has(asked.id)).toBe(false);
  });

  it("answers a question in a reply there", async () => {
    guild.forbidden.add("threads");
    const careful = await test.makeTool("export default async () => ({ was: 'careful' });", {
      confirm: true,
    });
    const asked = discord.mention(guild, user, `run ${careful} {}`);
    const replies = () => guild.posts.filter(({ replyTo }) => replyTo === asked.id);
    const question = await vi.waitUntil(
      () => replies().find((post) => buttonsOf(post).length > 0),
      soon,
    );
    await drainInbox(test);
    const run = buttonsOf(question).find(({ custom_id }) => custom_id?.endsWith(":run"));
    await discord.press(guild, user, question, run?.custom_id ?? "");
    await vi.waitUntil(() => replies().some((post) => textIn(post).includes("careful")), soon);
    await drainInbox(test);
    expect(replies()).toHaveLength(2);
  });

  it("uses a thread that someone else created from the message", async () => {
    const asked = discord.mention(guild, user, `run ${tool} {"theirs": 1}`);
    guild.threads.set(asked.id, { parent: asked.channel, name: "theirs" });
    guild.channels.add(asked.id);
    expect(textIn(await answerIn(asked.id))).toContain("theirs");
    expect(guild.threads.get(asked.id)?.name).toBe("theirs");
  });

  it("posts an unconfirmed answer once", async () => {
    const path = /^channels\/\d+\/messages$/;
    for (const forbidden of [[], ["threads"]] as const) {
      guild.forbidden = new Set(forbidden);
      discord.faults.push({ method: "POST", path, times: 1, status: 500, isDone: true });
      const asked = discord.mention(guild, user, `run ${tool} {"once": 1}`);
      await vi.waitFor(
        () => expect(discord.faults.every(({ times }) => times === 0)).toBe(true),
        soon,
      );
      await drainInbox(test);
      const replies = guild.posts.filter(({ replyTo }) => replyTo === asked.id);
      expect([...answersIn(asked.id), ...replies]).toHaveLength(1);
    }
  });
});

describe("a long run", () => {
  it("posts its result with a mention in the thread, or in the channel of the command", async () => {
    const slow = await test.makeTool(
      "export default async () => { await new Promise((r) => setTimeout(r, 1500)); return { slow: 'done' }; };",
    );
    waitForRuns(0);
    const asked = discord.mention(guild, user, `run ${slow} {}`);
    const command = await discord.ask(guild, user, `run ${slow} {}`);
    await vi.waitUntil(() => answersIn(asked.id).length === 2, soon);
    const original = await vi.waitUntil(() => command.original, soon);
    await vi.waitUntil(() => textIn(original).includes("finished; result below"), soon);
    await drainInbox(test);
    const [running, ended] = answersIn(asked.id);
    expect(running && textIn(running)).toContain("finished; result below");
    expect(ended && textIn(ended)).toContain("done");
    expect(ended?.allowedMentions.users).toEqual([user]);
    const later = answersIn(roomOf(guild)).findLast(({ id }) => id > original.id);
    expect(later && textIn(later)).toContain("done");
  });
});

describe("when the connection", () => {
  const lastOf = (kind: string) => discord.gateway.log.findLast((line) => line.startsWith(kind));

  it("is lost, the session resumes, and messages during the outage are answered once", async () => {
    const sessions = discord.gateway.sessions.length;
    discord.gateway.cut();
    const asked = discord.mention(guild, user, `run ${tool} {"outage": 1}`);
    await answerIn(asked.id);
    await drainInbox(test);
    expect(answersIn(asked.id)).toHaveLength(1);
    expect(discord.gateway.sessions).toHaveLength(sessions);
    expect(lastOf("resume")).toBeDefined();
  });

  it("replays an event, it is answered once", async () => {
    const asked = discord.mention(guild, user, `run ${tool} {"again": 1}`);
    await answerIn(asked.id);
    await drainInbox(test);
    const before = await countInbox(test);
    const session = discord.gateway.sessions.find(({ isOver }) => !isOver);
    const event = session?.events.findLast(({ d }) => d["id"] === asked.id);
    discord.gateway.dispatch("MESSAGE_CREATE", event?.d ?? {});
    const last = discord.mention(guild, user, `run ${tool} {"after": 1}`);
    await answerIn(last.id);
    expect((await countInbox(test)) - before).toBe(1);
    expect(answersIn(asked.id)).toHaveLength(1);
  });

  it("ends with the service, the next start resumes it without losing messages", async () => {
    const sessions = discord.gateway.sessions.length;
    let asked: FakePost | undefined;
    await test.restart(() => {
      expect(lastOf("closed")).toBe("closed 4900");
      asked = discord.mention(guild, user, `run ${tool} {"restart": 1}`);
    });
    const answer = await answerIn(asked?.id ?? "");
    expect(textIn(answer)).toContain("restart");
    expect(discord.gateway.sessions).toHaveLength(sessions);
  });

  it("reports that the bot was removed from a server, the connection is broken", async () => {
    const away = await connectGuild(test, discord, "Away");
    const leaving = await connectGuild(test, discord, "Leaving");
    discord.gateway.dispatch("GUILD_DELETE", { id: away.id, unavailable: true });
    leaving.isJoined = false;
    discord.gateway.dispatch("GUILD_DELETE", { id: leaving.id });
    await vi.waitFor(async () => {
      expect(await stateOf(test, leaving)).toMatchObject({ state: "broken" });
    }, soon);
    expect(await stateOf(test, away)).toMatchObject({ state: "active" });
  });

  it("is stored, its position is encrypted", async () => {
    await vi.waitFor(async () => {
      const rows = await test.service.context.db.kysely
        .selectFrom("chat_streams")
        .selectAll()
        .execute();
      expect(rows).toHaveLength(1);
      expect(rows[0]?.sealed_position).not.toBeNull();
      const session = discord.gateway.sessions.find(({ isOver }) => !isOver);
      expect(JSON.stringify(rows)).not.toContain(session?.id);
    }, soon);
  });

  it("conforms to the protocol throughout", () => {
    expect(discord.gateway.wrong).toEqual([]);
  });
});
