import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { addLinked, answersIn, connectTeam, drainInbox, soon } from "#testing/chat";
import { wordsOf } from "#testing/chat-press";
import { startFakeModel } from "#testing/fake-model";
import type { FakeModel, ModelAnswer } from "#testing/fake-model";
import { startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { closeStreams } from "#testing/fake-slack-agent";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

/** What a person sees while the bot works: its status, and the words of the model as they arrive. */
let test: TestService;
let slack: FakeSlack;
let model: FakeModel;
let team: FakeTeam;
let connectionId: string;
let user: string;
let add: string;

beforeAll(async () => {
  [slack, model] = await Promise.all([startFakeSlack(), startFakeModel()]);
  const settings = { ...slack.settings, ...model.settings, CHAT_MODEL_TIMEOUT_MS: "20000" };
  test = await startTestService(settings);
  slack.appUrl = test.baseUrl;
  add = await test.makeTool("export default async ({ a, b }) => ({ sum: a + b });", {
    title: "Add numbers",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  });
});
afterAll(async () => {
  await test.stop();
  await Promise.all([slack.close(), model.close()]);
});
/** Each test has a team of its own, because refusals are remembered for a team. */
beforeEach(async () => {
  team = slack.addTeam("Engineering");
  connectionId = await connectTeam(test, team);
  ({ user } = await addLinked(test, slack, team, "member"));
  slack.calls.splice(0);
  team.statuses = [];
});
afterEach(async () => {
  await drainInbox(test);
  slack.faults = [];
  await test.callAsOwner("DELETE", `/workspaces/${test.workspaceId}/chat/${connectionId}`);
});

const play = (...answers: ModelAnswer[]) => {
  model.script = (_, step) => answers[Math.min(step, answers.length - 1)] ?? {};
};

const ask = async (text: string) => {
  const { ts } = await slack.mention(team, user, text);
  return ts;
};

const settled = async (thread: string) => {
  await drainInbox(test);
  return answersIn(team, thread);
};

const callsOf = (method: string) => slack.calls.filter((one) => one.method === method);
const fail = (method: string, fault: object) => {
  slack.faults.push({ method, times: 1, ...fault });
};

/** Takes some seconds to write. */
const story = Array.from({ length: 50 }, (_, index) => `word${index}`).join(" ");
const slowly = { text: story, wordMs: 35 };

describe("the status", () => {
  const runTool = () =>
    play(
      {
        calls: [
          { name: "service_execute_tool", args: { tool_name: add, arguments: { a: 1, b: 2 } } },
        ],
      },
      { text: "It is 3." },
    );
  const statusesOf = (thread: string) =>
    team.statuses.filter((one) => one.thread === thread).map(({ status }) => status);

  it("names the tool that runs, and is cleared by the reply", async () => {
    runTool();
    const thread = await ask("1 and 2?");
    await settled(thread);
    const shown = statusesOf(thread);
    expect(shown.slice(0, 3)).toEqual(["is thinking…", "is running Add numbers…", "is thinking…"]);
    expect(shown.at(-1)).toBe("");
    expect(team.statuses.map(({ loading }) => loading)).toContainEqual(["Running Add numbers…"]);
    expect(team.sessions.get(thread)).toBe("active");
  });

  it("is cleared even if Slack shows it after the reply", async () => {
    runTool();
    fail("assistant.threads.setStatus", { times: 3, delayMs: 500 });
    const thread = await ask("1 and 2?");
    await settled(thread);
    expect(statusesOf(thread).at(-1)).toBe("");
  });

  it.each(["missing_scope", "not_allowed_token_type", "feature_not_enabled", "not_authorized"])(
    "is left out for a while after Slack refused it with %s",
    async (error) => {
      runTool();
      fail("assistant.threads.setStatus", { error });
      fail("agents.sessions.setStatus", { error });
      for (const text of ["1 and 2?", "again?"]) {
        const [message] = await settled(await ask(text));
        expect(wordsOf(message ?? { text: "" })).toContain("It is 3.");
      }
      expect(callsOf("assistant.threads.setStatus")).toHaveLength(1);
      expect(callsOf("agents.sessions.setStatus")).toHaveLength(1);
    },
  );

  it("delays no answer while Slack limits it", async () => {
    runTool();
    fail("assistant.threads.setStatus", {
      status: 429,
      error: "ratelimited",
      retryAfterSeconds: 60,
    });
    const [message] = await settled(await ask("1 and 2?"));
    expect(wordsOf(message ?? { text: "" })).toContain("It is 3.");
    expect(callsOf("assistant.threads.setStatus")).toHaveLength(1);
  });
});

describe("a streamed answer", () => {
  const opened = () => vi.waitUntil(() => callsOf("chat.startStream").length > 0, soon);
  const expectOnce = async (thread: string, words = story) => {
    const found = await settled(thread);
    expect(found).toHaveLength(1);
    const text = wordsOf(found[0] ?? { text: "" });
    expect(text.split(words).length - 1).toBeGreaterThan(0);
    expect(text).not.toContain("word0 word0");
    expect(found[0]?.stream).not.toBe("open");
    expect(found[0]?.metadata?.event_payload["work"]).toBeDefined();
    return found[0];
  };

  it("is shown word by word, within Slack's limits, and complete at the end", async () => {
    play(slowly);
    slack.hasRateLimits = true;
    const thread = await ask("tell me a story");
    await expectOnce(thread);
    slack.hasRateLimits = false;
    const [start] = callsOf("chat.startStream");
    expect(start?.args).toMatchObject({ recipient_user_id: user, recipient_team_id: team.id });
    expect(callsOf("chat.appendStream").length).toBeGreaterThan(0);
    expect(callsOf("chat.stopStream")).toHaveLength(1);
    expect(callsOf("chat.postMessage")).toHaveLength(0);
    expect(callsOf("chat.update")).toHaveLength(0);
  });

  it("keeps its words when the model stops responding", async () => {
    play({ ...slowly, breaksOff: true });
    const answer = await expectOnce(await ask("tell me a story"), "word40");
    expect(wordsOf(answer ?? { text: "" })).toContain("The AI model stopped responding.");
  });

  it("needs no recipient in a direct message", async () => {
    play(slowly);
    const channel = `D${user.slice(1)}`;
    team.channels.add(channel);
    const ts = team.nextTs();
    const message = { ts, channel, user, text: "tell me a story", reactions: [], edits: 0 };
    team.messages.push(message);
    const event = { type: "message", channel_type: "im", channel, user, ts, text: message.text };
    await slack.deliver(team, event);
    await expectOnce(ts);
    expect(callsOf("chat.startStream")[0]?.args).not.toHaveProperty("recipient_user_id");
  });

  it("is posted at once if it is short", async () => {
    play({ text: "Hello." });
    await expectOnce(await ask("hi"), "Hello.");
    expect(callsOf("chat.startStream")).toHaveLength(0);
  });

  it("replaces words that came before a tool, and shows its output", async () => {
    const note = `I am going to look that up for you now. ${story}`;
    play(
      {
        text: note,
        wordMs: 30,
        calls: [
          { name: "service_execute_tool", args: { tool_name: add, arguments: { a: 1, b: 2 } } },
        ],
      },
      { text: `The sum is 3. ${story}`, wordMs: 20 },
    );
    const message = await expectOnce(await ask("1 and 2?"));
    expect(wordsOf(message ?? { text: "" })).toContain("/runs/");
    expect(wordsOf(message ?? { text: "" })).not.toContain("look that up");
  });

  it("hides no URL behind other text at any moment", async () => {
    const text = `${story} [the bank](https://evil.example/a) [more] (https://evil.example/b) ${story}`;
    play({ text, wordMs: 30 });
    const found = await settled(await ask("tell me a story"));
    expect(found).toHaveLength(1);
    const parts = [...callsOf("chat.startStream"), ...callsOf("chat.appendStream")];
    const written = [
      parts.map(({ args }) => args["markdown_text"]).join(""),
      wordsOf(found[0] ?? { text: "" }),
    ];
    for (const one of written) expect(one).not.toMatch(/\]\(https/);
  });

  it.each(["unknown_method", "missing_scope", "not_allowed_token_type", "feature_not_enabled"])(
    "is posted as a whole for a while after Slack refused the stream with %s",
    async (error) => {
      play(slowly);
      fail("chat.startStream", { error });
      for (const text of ["a story", "another"]) await expectOnce(await ask(text));
      expect(callsOf("chat.startStream")).toHaveLength(1);
      expect(callsOf("chat.postMessage")).toHaveLength(2);
    },
  );

  it("is streamed in other channels if one has no streams", async () => {
    play(slowly);
    fail("chat.startStream", { error: "channel_type_not_supported" });
    await expectOnce(await ask("a story"));
    const channel = "C0OTHER";
    team.channels.add(channel);
    const { ts } = await slack.mention(team, user, "a story", { channel });
    await expectOnce(ts);
    expect(callsOf("chat.startStream").map(({ args }) => args["channel"])).toContain(channel);
  });

  it.each(["chat.startStream", "chat.appendStream", "chat.stopStream"])(
    "is complete once if Slack limits the rate of %s",
    async (method) => {
      play(slowly);
      fail(method, { status: 429, error: "ratelimited", retryAfterSeconds: 1 });
      await expectOnce(await ask("a story"));
    },
  );

  it.each([
    ["chat.startStream", true],
    ["chat.startStream", false],
    ["chat.appendStream", true],
    ["chat.appendStream", false],
    ["chat.stopStream", true],
    ["chat.stopStream", false],
  ])("is complete once after an error of %s (which took effect: %s)", async (method, isDone) => {
    play(slowly);
    fail(method, { status: 500, isDone });
    await expectOnce(await ask("a story"));
  });

  it.each(["closed", "stopped"] as const)(
    "is complete once after Slack %s the stream",
    async (by) => {
      play(slowly);
      const thread = await ask("a story");
      await opened();
      closeStreams(team, thread, by);
      await expectOnce(thread);
    },
  );

  it.each(["chat.startStream", "chat.appendStream", "chat.stopStream"])(
    "is complete once if the process dies at %s",
    async (method) => {
      play(slowly);
      // The response comes so late that another attempt has started.
      fail(method, { delayMs: 3_000, isDone: true });
      const thread = await ask("a story");
      await vi.waitUntil(() => callsOf(method).length > 0, soon);
      const { kysely } = test.service.context.db;
      await kysely
        .updateTable("chat_inbox")
        .set({ status: "queued", node_id: "", lease_until: null })
        .where("status", "=", "running")
        .where("team_id", "=", team.id)
        .execute();
      await expectOnce(thread);
    },
  );

  it("goes to the person alone if its message was deleted", async () => {
    play(slowly);
    const thread = await ask("a story");
    await opened();
    await vi.waitUntil(() => answersIn(team, thread).length > 0, soon);
    team.messages = team.messages.filter(({ thread_ts }) => thread_ts !== thread);
    await drainInbox(test);
    const direct = team.messages.filter(({ channel }) => channel.startsWith("D"));
    expect(direct.map((message) => wordsOf(message)).join("")).toContain(story);
  });
});
