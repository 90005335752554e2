import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "#config";
import { addLinked, answersIn, connectTeam, inboxOf, drainInbox, soon } from "#testing/chat";
import { channelOf, slackId, startFakeSlack } from "#testing/fake-slack";
import { passMinute } from "#testing/fake-slack-rates";
import { unusedModel } from "#testing/fake-model";
import { buttonsOf } from "#testing/chat-press";
import type { FakeMessage, FakeSlack, FakeTeam } from "#testing/fake-slack";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { startService } from "../../start.ts";
import type { Service } from "../../start.ts";

let test: TestService;
let slack: FakeSlack;
let settings: Record<string, string>;
let team: FakeTeam;
/** A chat user in the team who is linked to a member. */
let user: string;
let userId: string;
let tool: string;

beforeAll(async () => {
  slack = await startFakeSlack();
  settings = { ...slack.settings, ...unusedModel, ENCRYPTION_KEY: "5f".repeat(32) };
  test = await startTestService(settings);
  slack.appUrl = test.baseUrl;
  team = slack.addTeam("Engineering");
  await connectTeam(test, team);
  ({ user, userId } = await addLinked(test, slack, team, "member"));
  tool = await test.makeTool("export default async (input) => ({ got: input });");
});
afterAll(async () => {
  await test.stop();
  await slack.close();
});

/** A message of the bot with a button for the user. */
let offer: FakeMessage | undefined;
async function findOffer(): Promise<FakeMessage> {
  if (offer !== undefined) return offer;
  const needy = await test.makeTool("export default async (input) => ({ got: input });", {
    inputSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  });
  const { ts } = await slack.mention(team, user, `run ${needy}`);
  offer = await answerTo(ts);
  return offer;
}

/** A press of the last button of a message. */
const pressOf = (message: FakeMessage) => ({
  type: "block_actions",
  team: { id: team.id },
  user: { id: user },
  trigger_id: slackId("TR"),
  message: { ts: message.ts, thread_ts: message.thread_ts },
  actions: [{ action_id: "button-0", value: buttonsOf(message).at(-1)?.value }],
});

/** The bot's first answer in a thread. */
const answerTo = (thread: string, inTeam = team) =>
  vi.waitUntil(() => answersIn(inTeam, thread)[0], soon);

const drain = () => drainInbox(test);

describe("a mention", () => {
  it("is answered in its thread with the result of the tool, and gets a reaction", async () => {
    const { status, ts } = await slack.mention(team, user, `run ${tool} {"n": 41}`);
    expect(status).toBe(200);
    const answer = await answerTo(ts);
    expect(JSON.stringify(answer.blocks)).toContain("41");
    await vi.waitFor(() => {
      expect(team.messages.find((message) => message.ts === ts)?.reactions).toEqual([
        "white_check_mark",
      ]);
    }, soon);
  });

  it("is a run of the person who asked, with the chat user in the audit log", async () => {
    const { ts } = await slack.mention(team, user, `run ${tool} {"mine": true}`);
    await answerTo(ts);
    const runs = await test.call("GET", "/runs?limit=1");
    expect(runs.body[0]).toMatchObject({ via: "bot", toolName: tool });
    const events = await test.call("GET", "/audit-events?action=run.create&limit=1");
    expect(events.body[0]).toMatchObject({
      via: "bot",
      actor: { userId, chatUserId: `slack:${team.id}/${user}` },
    });
  });

  it("needs no bot name in a direct message", async () => {
    const ts = team.nextTs();
    const channel = channelOf(team);
    const said = { type: "message", channel_type: "im", channel, user, text: "hello", ts };
    await slack.deliver(team, said);
    expect((await answerTo(ts)).text).not.toBe("");
  });
});

describe("a message in a thread of the bot", () => {
  it("is stored, and follows edits and deletions; other threads are not stored", async () => {
    const { ts: thread } = await slack.mention(team, user, "the beginning");
    await answerTo(thread);
    const channel = channelOf(team);
    const post = async (inThread: string, text: string) => {
      const ts = team.nextTs();
      const said = { type: "message", channel_type: "channel", channel, user, text, ts };
      await slack.deliver(team, { ...said, thread_ts: inThread });
      return ts;
    };
    const stored = async () => {
      const rows = await test.service.context.db.kysely
        .selectFrom("chat_messages")
        .select("text")
        .where("channel", "=", channel)
        .where("author", "=", user)
        .execute();
      return rows.map(({ text }) => text).filter((text) => text.startsWith("stored"));
    };
    const first = await post(thread, "stored once");
    const second = await post(thread, "stored twice");
    await post("1700000000.000001", "stored never");
    expect(await stored()).toEqual(["stored once", "stored twice"]);
    const message = { ts: first, text: "stored &amp; changed" };
    await slack.deliver(team, { type: "message", subtype: "message_changed", channel, message });
    const deletion = { type: "message", subtype: "message_deleted", channel, deleted_ts: second };
    await slack.deliver(team, deletion);
    expect(await stored()).toEqual(["stored & changed"]);
  });
});

describe("a long thread of an app that may read one small page per minute", () => {
  it("is read again until its newest messages are stored", async () => {
    const common = { channel: channelOf(team), user: "U1", reactions: [], edits: 0 };
    const thread = team.nextTs();
    team.messages.push({ ...common, ts: thread, text: "root" });
    for (let n = 0; n < 60; n++) {
      const reply = { ...common, ts: team.nextTs(), thread_ts: thread, text: `reply ${n}` };
      team.messages.push(reply);
    }
    const storedReplies = async () => {
      const rows = await test.service.context.db.kysely
        .selectFrom("chat_messages")
        .select("text")
        .where("thread", "=", thread)
        .execute();
      return rows.map(({ text }) => text).filter((text) => text.startsWith("reply"));
    };
    const ask = async () => {
      passMinute(team);
      await slack.mention(team, user, `run ${tool} {}`, { thread });
      await drain();
      return storedReplies();
    };
    team.isLowestTier = true;
    try {
      expect(await ask()).toContain("reply 0");
      expect(await ask()).toContain("reply 59");
    } finally {
      team.isLowestTier = false;
    }
  });
});

describe("a request without a valid signature", () => {
  const event = { type: "app_mention", channel: "C1", user: "U1", text: "x", ts: "1.000001" };
  const seconds = Math.floor(Date.now() / 1_000);
  it.each([
    ["signed with another secret", { secret: "another" }],
    ["signed ten minutes ago", { timestamp: seconds - 600 }],
    ["signed ten minutes from now", { timestamp: seconds + 600 }],
    ["altered in transit", { alteredBody: '{"type":"url_verification","challenge":"x"}' }],
    ["signed with zeros", { signature: `v0=${"0".repeat(64)}` }],
    ["not signed", { signature: "" }],
  ])("returns 401 from both endpoints and stores nothing when %s", async (_, how) => {
    const question = await findOffer();
    const added = await inboxOf(test, async () => {
      expect((await slack.deliver(team, event, how)).status).toBe(401);
      const pressed = { ...pressOf(question), channel: { id: channelOf(team) } };
      expect((await slack.interact(pressed, how)).status).toBe(401);
    });
    expect(added).toBe(0);
  });

  it("is refused with the signature of another body", async () => {
    const body = JSON.stringify({ type: "url_verification", challenge: "mine" });
    const other = JSON.stringify({ type: "url_verification", challenge: "theirs" });
    expect((await slack.send("/bot/slack/events", body)).status).toBe(200);
    const how = { alteredBody: other };
    expect((await slack.send("/bot/slack/events", body, "application/json", how)).status).toBe(401);
  });
});

describe("an event without effect", () => {
  const said = () => ({ channel: channelOf(team), text: "x", ts: team.nextTs() });
  it.each([
    ["a message of a bot", () => ({ type: "app_mention", user, bot_id: "B1", ...said() })],
    ["our own message", () => ({ type: "app_mention", user: team.botUserId, ...said() })],
    [
      "an edit",
      () => ({ type: "message", channel_type: "im", subtype: "message_changed", ...said() }),
    ],
    [
      "a message without a mention of the bot",
      () => ({ type: "message", channel_type: "channel", user, ...said() }),
    ],
    ["an unknown event", () => ({ type: "team_rename", name: "x" })],
    [
      "a user's token that was revoked",
      () => ({ type: "tokens_revoked", tokens: { oauth: ["U1"] } }),
    ],
  ])("returns 200 and stores nothing: %s", async (_, event) => {
    const added = await inboxOf(test, async () => {
      expect((await slack.deliver(team, event())).status).toBe(200);
    });
    expect(added).toBe(0);
  });

  it("returns 200 and stores nothing for a team that is not connected", async () => {
    const stranger = slack.addTeam("Strangers");
    const added = await inboxOf(test, async () => {
      expect((await slack.mention(stranger, "U1", "hello")).status).toBe(200);
    });
    expect(added).toBe(0);
  });

  it("returns the challenge of the URL verification", async () => {
    const body = JSON.stringify({ type: "url_verification", challenge: "abc" });
    const asked = await slack.send("/bot/slack/events", body);
    expect([asked.status, JSON.parse(asked.text)]).toEqual([200, { challenge: "abc" }]);
  });
});

describe("the events endpoint", () => {
  let second: Service | undefined;
  beforeAll(async () => {
    const { DATABASE_URL } = test.service.context.config;
    if (DATABASE_URL === undefined) return;
    const { dataDir } = test.service.context.config;
    second = await startService(
      readConfig({
        PORT: "0",
        LOG_LEVEL: "fatal",
        SANDBOX_IDLE_PROCESSES: "1",
        DATA_DIR: `${dataDir}-second`,
        DATABASE_URL,
        ...settings,
      }),
    );
  });
  afterAll(() => second?.stop());

  /** By turns one node or the other, where there are two. */
  const nodeUrl = (n: number) =>
    (n % 2 === 0 ? undefined : second?.context.config.baseUrl) ?? test.baseUrl;
  /** The runs of a tool, oldest first. */
  const runsOf = async (name: string) => {
    const { body } = await test.call("GET", `/runs?toolName=${name}`);
    return (body as { input: object; createdAt: string; finishedAt: string }[]).toReversed();
  };

  it("runs and answers once for five concurrent deliveries of an event on two nodes", async () => {
    const five = await test.makeTool("export default async (input) => ({ got: input });");
    const ts = team.nextTs();
    const eventId = slackId("Ev");
    const sent = [0, 1, 2, 3, 4].map((n) =>
      slack.mention(team, user, `run ${five} {"five": 1}`, { ts, eventId, appUrl: nodeUrl(n) }),
    );
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200,
    ]);
    await answerTo(ts);
    await drain();
    expect(answersIn(team, ts)).toHaveLength(1);
    expect(await runsOf(five)).toMatchObject([{ input: { five: 1 } }]);
  });

  it("answers a message with two concurrent events once, and not again when it is edited", async () => {
    const two = await test.makeTool("export default async (input) => ({ got: input });");
    const ts = team.nextTs();
    const text = `<@${team.botUserId}> run ${two} {"two": 2}`;
    const said = { channel: channelOf(team), user, ts, text };
    const sent = [
      { ...said, type: "app_mention" },
      { ...said, type: "message", channel_type: "im" },
    ].map((event, n) => slack.deliver(team, event, { appUrl: nodeUrl(n) }));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
    await answerTo(ts);
    const edited = { ...said, type: "app_mention", text: text.replace("2", "3"), edited: { user } };
    expect((await slack.deliver(team, edited)).status).toBe(200);
    await drain();
    expect(answersIn(team, ts)).toHaveLength(1);
    expect(await runsOf(two)).toMatchObject([{ input: { two: 2 } }]);
  });

  it("messages with the same time and channel in two teams are separate", async () => {
    const other = slack.addTeam("Design");
    const channel = channelOf(team);
    other.channels.add(channel);
    await connectTeam(test, other);
    const { user: theirs } = await addLinked(test, slack, other, "member");
    const ts = team.nextTs();
    await Promise.all([
      slack.mention(team, user, `run ${tool} {"in": "mine"}`, { ts }),
      slack.mention(other, theirs, `run ${tool} {"in": "theirs"}`, {
        channel,
        ts,
        appUrl: nodeUrl(1),
      }),
    ]);
    expect(JSON.stringify((await answerTo(ts)).blocks)).toContain("mine");
    expect(JSON.stringify((await answerTo(ts, other)).blocks)).toContain("theirs");
    await drain();
    expect([answersIn(team, ts).length, answersIn(other, ts).length]).toEqual([1, 1]);
  });

  it("answers three messages of a thread in order", async () => {
    const { ts: thread } = await slack.mention(team, user, "the first");
    await answerTo(thread);
    for (const n of [1, 2, 3]) {
      await slack.mention(team, user, `run ${tool} {"n": "nr-${n}"}`, { thread });
    }
    await vi.waitFor(() => expect(answersIn(team, thread)).toHaveLength(4), soon);
    const order = answersIn(team, thread).map(
      ({ blocks }) => /nr-\d/.exec(JSON.stringify(blocks))?.[0],
    );
    expect(order).toEqual([undefined, "nr-1", "nr-2", "nr-3"]);
  });

  it("processes concurrent messages of a thread one by one across two nodes", async () => {
    const slow = await test.makeTool(
      "export default async ({ n }) => { await new Promise((done) => setTimeout(done, 200)); return { n }; };",
    );
    const thread = team.nextTs();
    const sent = [1, 2, 3].map((n) =>
      slack.mention(team, user, `run ${slow} {"n": ${n}}`, { thread, appUrl: nodeUrl(n) }),
    );
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await vi.waitFor(() => expect(answersIn(team, thread)).toHaveLength(3), soon);
    await drain();
    expect(answersIn(team, thread)).toHaveLength(3);
    const runs = await runsOf(slow);
    expect(runs).toHaveLength(3);
    const ends = runs.map(({ finishedAt }) => Date.parse(finishedAt));
    const begins = runs.map(({ createdAt }) => Date.parse(createdAt));
    expect(begins[1]).toBeGreaterThanOrEqual(ends[0] ?? Infinity);
    expect(begins[2]).toBeGreaterThanOrEqual(ends[1] ?? Infinity);
  });

  it("distributes a burst of messages across all nodes", async () => {
    const sent = Array.from({ length: 30 }, (_, n) =>
      slack.mention(team, user, `hello ${n}`, { appUrl: nodeUrl(n) }),
    );
    const all = await Promise.all(sent);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    await vi.waitFor(() => {
      const unanswered = all.filter(({ ts }) => answersIn(team, ts).length !== 1);
      expect(unanswered).toHaveLength(0);
    }, soon);
  });
});

/** Makes it seem as if a message was tried so often, and is due. */
const attemptsWere = (id: string, attempt: number) =>
  test.service.context.db.kysely
    .updateTable("chat_inbox")
    .set({ attempt, run_after: 0, uncounted_attempts: 0 })
    .where("id", "=", id)
    .execute();

describe("the bot when Slack fails", () => {
  it("posts each answer once and not too early, whether the error comes before or after posting", async () => {
    const method = "chat.postMessage";
    const post = { method, times: 1 };
    const faults = [
      { ...post, status: 429, error: "ratelimited", retryAfterSeconds: 2 },
      { ...post, status: 500 },
      { ...post, status: 500, isDone: true },
    ];
    const threads: string[] = [];
    for (const fault of faults) {
      // The pace of a limited channel is its own.
      const channel = slackId("C");
      team.channels.add(channel);
      slack.faults.push({ ...fault, channel });
      const { ts } = await slack.mention(team, user, `run ${tool} {"patience": 1}`, { channel });
      await vi.waitUntil(() => slack.faults.at(-1)?.times === 0, soon);
      threads.push(ts);
    }
    for (const thread of threads) await answerTo(thread);
    await drain();
    const answers = threads.map((thread) => answersIn(team, thread));
    expect(answers.map(({ length }) => length)).toEqual([1, 1, 1]);
    // The posted message was found again, and only edited.
    expect(answers.map(([answer]) => answer?.edits)).toEqual([0, 0, 1]);
    const [first, second] = slack.calls
      .filter((call) => call.method === method && call.args["thread_ts"] === threads[0])
      .map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1_950);
  });

  it(
    "creates a dead letter that admins can requeue for an unknown channel",
    { tags: ["nightly"] },
    async () => {
      // Neither in the channel nor to the person.
      slack.faults.push({ method: "chat.postMessage", times: 2, error: "channel_not_found" });
      slack.faults.push({ method: "chat.postEphemeral", times: 2, error: "channel_not_found" });
      const { ts } = await slack.mention(team, user, "is anybody there");
      const path = `/workspaces/${test.workspaceId}/chat/dead-letters`;
      const deadLetter = await vi.waitUntil(async () => {
        const { body } = await test.callAsOwner("GET", path);
        return (body as { id: string; problem: string }[])[0];
      }, soon);
      expect(deadLetter).toMatchObject({
        kind: "message",
        problem: "chat.postEphemeral: channel_not_found",
        problemKind: "gone",
      });
      const metrics = await (await fetch(`${test.baseUrl}/metrics`)).text();
      expect(metrics).toMatch(/^toolhost_chat_dead_letters 1$/m);
      // After many attempts, and although Slack fails once more, it is processed like a new message.
      await attemptsWere(deadLetter.id, 7);
      slack.faults.push({ method: "chat.postMessage", times: 1, status: 500 });
      expect((await test.callAsOwner("POST", `${path}/${deadLetter.id}/requeue`)).status).toBe(204);
      await answerTo(ts);
      expect((await test.callAsOwner("GET", path)).body).toEqual([]);
    },
  );

  it(
    "answers a burst in one channel at the pace that Slack allows",
    { timeout: 90_000 },
    async () => {
      slack.hasRateLimits = true;
      const startedAt = Date.now();
      const count = 25;
      const asked = Array.from({ length: count }, (_, n) =>
        slack.mention(team, user, `run ${tool} {"burst": ${n}}`),
      );
      const threads = (await Promise.all(asked)).map(({ ts }) => ts);
      const isDone = () => threads.every((ts) => answersIn(team, ts).length > 0);
      await vi.waitUntil(isDone, { timeout: 80_000, interval: 100 });
      slack.hasRateLimits = false;
      await drain();
      expect(threads.map((ts) => answersIn(team, ts).length)).toEqual(threads.map(() => 1));
      const calls = slack.calls.filter(({ at }) => at >= startedAt);
      const posts = calls.filter(({ method }) => method === "chat.postMessage");
      // Those that were sent at once, until the first response.
      expect(posts.length).toBeLessThanOrEqual(count + 16);
      expect(calls.filter(({ method }) => method === "conversations.replies")).toEqual([]);
    },
  );

  it("waits for rate limits without counting attempts", async () => {
    const limit = { method: "chat.postMessage", status: 429, error: "ratelimited" };
    slack.faults.push({ ...limit, times: 9, retryAfterSeconds: 0.1 });
    const { ts } = await slack.mention(team, user, `run ${tool} {"limited": 1}`);
    expect(JSON.stringify((await answerTo(ts)).blocks)).toContain("limited");
    await drain();
    expect(answersIn(team, ts)).toHaveLength(1);
  });

  it("creates a dead letter when the process of each attempt dies", async () => {
    const wait = { status: 429, error: "ratelimited", retryAfterSeconds: 3_600 };
    slack.faults.push({ method: "chat.postMessage", times: 1, ...wait });
    const { ts } = await slack.mention(team, user, "a message of death");
    const { db, chat } = test.service.context;
    const waiting = db.kysely
      .selectFrom("chat_inbox")
      .select("id")
      .where("status", "=", "queued")
      .where("attempt", "=", 1);
    const { id } = await vi.waitUntil(() => waiting.executeTakeFirst(), soon);
    await attemptsWere(id, 7);
    chat.worker.kick();
    await vi.waitUntil(
      () => team.ephemerals.some(({ text }) => text.includes(`details under ${id}`)),
      soon,
    );
    expect(answersIn(team, ts)).toEqual([]);
    const reactions = () => team.messages.find((one) => one.ts === ts)?.reactions;
    await vi.waitFor(() => expect(reactions()).toEqual(["x"]), soon);
    const { body } = await test.callAsOwner(
      "GET",
      `/workspaces/${test.workspaceId}/chat/dead-letters`,
    );
    expect(body).toMatchObject([{ id, problem: "internal", problemKind: "internal", attempts: 8 }]);
  });
});
