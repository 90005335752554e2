import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { addLinked, answersIn, connectTeam, drainInbox, soon } from "#testing/chat";
import { buttonsOf, press, pressValue, wordsOf } from "#testing/chat-press";
import { startFakeModel } from "#testing/fake-model";
import type { FakeModel } from "#testing/fake-model";
import { addUser, channelOf, slackId, startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { closeStreams } from "#testing/fake-slack-agent";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let slack: FakeSlack;
let model: FakeModel;
let team: FakeTeam;
let user: string;
let call: TestService["call"];
let walk: string;

beforeAll(async () => {
  [slack, model] = await Promise.all([startFakeSlack(), startFakeModel()]);
  const times = { RUN_WAIT_MS: "1500", CHAT_MODEL_TIMEOUT_MS: "20000" };
  test = await startTestService({ ...slack.settings, ...model.settings, ...times });
  slack.appUrl = test.baseUrl;
  walk = await test.makeTool(
    `export default async ({ ms }) => {
      await new Promise((done) => setTimeout(done, ms));
      return { walked: "all the way" };
    };`,
    { title: "Walk far" },
  );
});
afterAll(async () => {
  await test.stop();
  await Promise.all([slack.close(), model.close()]);
});
beforeEach(async () => {
  team = slack.addTeam("Walkers");
  await connectTeam(test, team);
  ({ user, call } = await addLinked(test, slack, team, "member"));
});
afterEach(() => drainInbox(test));

const story = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");
const tellStory = () => {
  model.script = () => ({ text: story, wordMs: 35 });
};
const walkFor = (ms: number) => {
  const args = { tool_name: walk, arguments: { ms } };
  model.script = (_, step) =>
    step === 0 ? { calls: [{ name: "service_execute_tool", args }] } : { text: "Arrived." };
};
const words = (thread: string) => answersIn(team, thread).map(wordsOf).join("\n");
const say = (text: string, thread: string, from = user) =>
  slack.mention(team, from, text, { thread });
const reactionsOf = (ts: string) => team.messages.find((one) => one.ts === ts)?.reactions;
const runs = async () =>
  (await call("GET", `/runs?toolName=${walk}`)).body as { id: string; status: string }[];
const streamed = (thread: string) =>
  vi.waitUntil(() => answersIn(team, thread).find(({ stream }) => stream === "open"), soon);

describe("a person who says stop", () => {
  it("stops an answer that is being written, in its message", async () => {
    tellStory();
    const { ts } = await slack.mention(team, user, "a story");
    await streamed(ts);
    const stop = await say("stop", ts);
    await drainInbox(test);
    const [answer, ...others] = answersIn(team, ts);
    expect(others).toEqual([]);
    expect(answer).toMatchObject({ stream: "closed" });
    expect(wordsOf(answer ?? { text: "" })).toMatch(/word0[\s\S]*Stopped\./);
    expect(words(ts)).not.toContain("word399");
    await vi.waitUntil(() => reactionsOf(ts)?.length === 0, soon);
    await vi.waitUntil(() => reactionsOf(stop.ts)?.length === 0, soon);
    expect(team.statuses.at(-1)).toMatchObject({ thread: ts, status: "" });
  });

  it("cancels the run that the answer waits for", async () => {
    walkFor(60_000);
    const { ts } = await slack.mention(team, user, "walk far");
    await vi.waitUntil(async () => (await runs())[0]?.status === "running", soon);
    await say("stop", ts);
    await vi.waitUntil(() => words(ts).includes("the run is cancelled"), soon);
    expect((await runs())[0]).toMatchObject({ status: "cancelled" });
    await drainInbox(test);
    expect(words(ts)).not.toContain("Arrived");
  });

  it("stops the answer without a mention, in the thread of the answer only", async () => {
    tellStory();
    const { ts } = await slack.mention(team, user, "a story");
    await streamed(ts);
    const sayUnaddressed = (thread: string | undefined, from: string) => {
      const message = { channel: channelOf(team), user: from, text: "Stop!", ts: team.nextTs() };
      const where = thread === undefined ? {} : { thread_ts: thread };
      return slack.deliver(team, {
        type: "message",
        channel_type: "channel",
        ...message,
        ...where,
      });
    };
    const other = await addLinked(test, slack, team, "member");
    await sayUnaddressed(ts, other.user);
    await sayUnaddressed(undefined, user);
    expect(words(ts)).not.toContain("Stopped.");
    await sayUnaddressed(ts, user);
    await drainInbox(test);
    expect(words(ts)).toContain("Stopped.");
    expect(words(ts)).not.toContain("word399");
  });

  it("cancels a run in progress without a mention", async () => {
    walkFor(60_000);
    const { ts } = await slack.mention(team, user, "walk far");
    await vi.waitUntil(() => words(ts).includes("Running"), { ...soon, timeout: 40_000 });
    const where = { channel: channelOf(team), thread_ts: ts, ts: team.nextTs() };
    const message = { type: "message", channel_type: "channel", user, text: "stop", ...where };
    await slack.deliver(team, message);
    await vi.waitUntil(() => words(ts).includes("the run is cancelled"), soon);
    await drainInbox(test);
    expect((await runs()).at(-1)).toMatchObject({ status: "cancelled" });
    await vi.waitUntil(() => reactionsOf(ts)?.length === 0, soon);
  });

  it("stops nothing of another person", async () => {
    const other = await addLinked(test, slack, team, "member");
    model.script = () => ({ text: story.slice(0, 900), wordMs: 20 });
    const { ts } = await slack.mention(team, user, "a story");
    await streamed(ts);
    await say("stop", ts, other.user);
    await drainInbox(test);
    expect(words(ts)).toContain("word90");
    expect(words(ts)).toContain("Nothing is running here");
  });

  it("stops an answer in a direct conversation", async () => {
    tellStory();
    const channel = `D${user.slice(1)}`;
    const direct = async (text: string) => {
      const ts = team.nextTs();
      const message = { ts, channel, user, text, reactions: [], edits: 0 };
      team.messages.push(message);
      const event = { type: "message", channel_type: "im", channel, user, text, ts };
      await slack.deliver(team, event);
      return ts;
    };
    const asked = await direct("a story");
    await vi.waitUntil(() => answersIn(team, asked).length > 0, soon);
    await direct("stop");
    await drainInbox(test);
    const all = team.messages.map(wordsOf).join("\n");
    expect(all).toContain("Stopped.");
    expect(all).not.toContain("word399");
  });
});

describe("Slack's Stop button", () => {
  const pressStop = (thread: string, by = user, eventId = slackId("Ev")) => {
    const streaming_message_ts = closeStreams(team, thread, "stopped");
    const where = { channel: channelOf(team), thread_ts: thread, user: by };
    const event = { type: "agent_session_stopped", ...where, streaming_message_ts };
    return slack.deliver(team, { ...event, event_ts: team.nextTs() }, { eventId });
  };

  it("stops the answer once, however often its event is delivered", async () => {
    tellStory();
    const { ts } = await slack.mention(team, user, "a story");
    await streamed(ts);
    const eventId = slackId("Ev");
    expect((await pressStop(ts, user, eventId)).status).toBe(200);
    await pressStop(ts, user, eventId);
    await drainInbox(test);
    expect(answersIn(team, ts)).toHaveLength(1);
    expect(words(ts)).toContain("Stopped.");
    expect(team.sessions.get(ts)).toBe("active");
  });

  it("does nothing for a person whose answer it is not", async () => {
    model.script = () => ({ text: story.slice(0, 900), wordMs: 20 });
    const { ts } = await slack.mention(team, user, "a story");
    await streamed(ts);
    await pressStop(ts, addUser(team, "someone-else@example.com"));
    await drainInbox(test);
    expect(words(ts)).toContain("word90");
  });
});

describe("the Stop button of a long run", () => {
  it("cancels the run, which is reported once", async () => {
    walkFor(60_000);
    const { ts } = await slack.mention(team, user, "walk far");
    const shown = await vi.waitUntil(
      () => answersIn(team, ts).find((one) => buttonsOf(one).some(({ label }) => label === "Stop")),
      soon,
    );
    await press(slack, team, { user, message: shown, label: "Stop" });
    await vi.waitUntil(() => words(ts).includes("was cancelled"), soon);
    await drainInbox(test);
    expect((await runs())[0]).toMatchObject({ status: "cancelled" });
    expect(answersIn(team, ts)).toHaveLength(1);
    expect(buttonsOf(answersIn(team, ts)[0] ?? {})).toEqual([]);
  });

  it("is for the person who asked only", async () => {
    const other = await addLinked(test, slack, team, "member");
    walkFor(4_000);
    const { ts } = await slack.mention(team, user, "walk far");
    const shown = await vi.waitUntil(
      () => answersIn(team, ts).find((one) => buttonsOf(one).some(({ label }) => label === "Stop")),
      soon,
    );
    await press(slack, team, { user: other.user, message: shown, label: "Stop" });
    await vi.waitUntil(() => answersIn(team, ts).length > 1, soon);
    expect(words(ts)).toContain("all the way");
  });
});

describe("suggested prompts", () => {
  const open = async (by = user) => {
    const channel = `D${by.slice(1)}`;
    const event = { type: "app_home_opened", user: by, channel, tab: "messages" };
    expect((await slack.deliver(team, event)).status).toBe(200);
    await drainInbox(test);
    return team.prompts.at(-1);
  };

  it("offers the tools of the user, and a question for help", async () => {
    await call("PUT", "/preferences", { favorites: [walk] });
    expect(await open()).toMatchObject({
      channel: `D${user.slice(1)}`,
      prompts: [{ title: "Walk far" }, { title: "What can you do?" }],
    });
  });

  it("ends where the token lacks the scope", async () => {
    team.scopes.delete("assistant:write");
    expect(await open()).toBeUndefined();
    const before = slack.calls.length;
    const other = await addLinked(test, slack, team, "member");
    await open(other.user);
    const methods = slack.calls.slice(before).map(({ method }) => method);
    expect(methods).not.toContain("assistant.threads.setSuggestedPrompts");
  });
});

describe("the rating of a result", () => {
  const ratingOf = (thread: string) => {
    const blocks = answersIn(team, thread).flatMap((one) => one.blocks ?? []);
    type Buttons = { positive_button: { value: string }; negative_button: { value: string } };
    const found = blocks as { type: string; elements?: Buttons[] }[];
    return found.find(({ type }) => type === "context_actions")?.elements?.[0];
  };
  const rated = async () => {
    const { body } = await call("GET", `/runs?toolName=${walk}`);
    return (body as { feedback: string | null }[])[0]?.feedback;
  };

  it("is kept with the run, can change, and is the person's own", async () => {
    const other = await addLinked(test, slack, team, "member");
    walkFor(0);
    const { ts } = await slack.mention(team, user, "walk far");
    const rating = await vi.waitUntil(() => ratingOf(ts), soon);
    await drainInbox(test);
    expect(await rated()).toBeNull();
    const [message] = answersIn(team, ts);
    if (message === undefined) throw new Error("There is no answer");
    const rate = (by: string, value: string) =>
      pressValue(slack, team, { user: by, message, value });
    await rate(other.user, rating.negative_button.value);
    expect(await rated()).toBeNull();
    await rate(user, rating.positive_button.value);
    expect(await rated()).toBe("good");
    await rate(user, rating.negative_button.value);
    expect(await rated()).toBe("bad");
    const notices = team.ephemerals.filter(({ text }) => text.includes("recorded with the run"));
    expect(notices.map((one) => one.user)).toEqual([user]);
    await rate(user, rating.negative_button.value.replace(/:.*/, ":excellent"));
    expect(await rated()).toBe("bad");
    await drainInbox(test);
    expect(answersIn(team, ts)).toHaveLength(1);
  });
});
