import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { addLinked, answersIn, connectTeam, drainInbox, soon } from "#testing/chat";
import { wordsOf } from "#testing/chat-press";
import { startFakeModel } from "#testing/fake-model";
import type { FakeModel } from "#testing/fake-model";
import { startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
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
  test = await startTestService({ ...slack.settings, ...model.settings, RUN_WAIT_MS: "200" });
  slack.appUrl = test.baseUrl;
  walk = await test.makeTool(
    "export default ({ ms }) => new Promise((done) => setTimeout(() => done({}), ms));",
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

const command = () => `run ${walk} {"ms": 60000}`;
const story = Array.from({ length: 400 }, (_, index) => `word${index}`).join(" ");
const words = (thread: string) => answersIn(team, thread).map(wordsOf).join("\n");
const allWords = () => team.messages.map(wordsOf).join("\n");
const isRunning = async () => {
  const { body } = await call("GET", `/runs?toolName=${walk}`);
  return (body as { status: string }[]).some(({ status }) => status === "running");
};
const showsRun = async (thread: string) => {
  await vi.waitUntil(() => words(thread).includes("Running Walk far"), soon);
  await drainInbox(test);
};
const say = (text: string, thread: string, from = user) =>
  slack.mention(team, from, text, { thread });

/** Sends a message to the bot alone. */
async function direct(text: string, thread?: string): Promise<string> {
  const [ts, channel] = [team.nextTs(), `D${user.slice(1)}`];
  const where = thread === undefined ? {} : { thread_ts: thread };
  team.messages.push({ ts, channel, user, text, reactions: [], edits: 0, ...where });
  const event = { type: "message", channel_type: "im", channel, user, text, ts, ...where };
  await slack.deliver(team, event);
  return ts;
}

describe("a message “stop” to the bot alone", () => {
  it("cancels a run in progress of an earlier message", async () => {
    const asked = await direct(command());
    await showsRun(asked);
    await direct("stop");
    await vi.waitUntil(async () => !(await isRunning()), soon);
    await drainInbox(test);
    expect(allWords()).toContain("the run is cancelled");
  });

  it("stops the answer in whose thread it is, and keeps its words", async () => {
    model.script = () => ({ text: story, wordMs: 35 });
    const asked = await direct("a story");
    await vi.waitUntil(() => answersIn(team, asked).some(({ stream }) => stream === "open"), soon);
    await direct("stop", asked);
    await drainInbox(test);
    expect(words(asked)).toMatch(/word0[\s\S]*Stopped\./);
    expect(words(asked)).not.toContain("word399");
  });
});

describe("a message “stop” during a rate limit", () => {
  const limit = { method: "chat.postMessage", status: 429, error: "ratelimited" };

  it("stops an answer that waits for a retry", async () => {
    slack.faults.push({ ...limit, times: 1, retryAfterSeconds: 5 });
    const { ts } = await slack.mention(team, user, command());
    const { kysely } = test.service.context.db;
    const waiting = kysely
      .selectFrom("chat_inbox")
      .select("id")
      .where("run_after", ">", Date.now());
    await vi.waitUntil(async () => (await waiting.execute()).length > 0, soon);
    expect(await isRunning()).toBe(true);
    await say("stop", ts);
    await vi.waitUntil(async () => !(await isRunning()), soon);
    await drainInbox(test);
    const [answer, ...others] = answersIn(team, ts).map(wordsOf);
    expect(answer).toContain("Stopped; the run is cancelled.");
    expect(others).toEqual([]);
  });

  it("reports what it cancelled, also in a later attempt", async () => {
    const { ts } = await slack.mention(team, user, command());
    await showsRun(ts);
    slack.faults.push({ ...limit, times: 2, retryAfterSeconds: 0.1 });
    await say("stop", ts);
    await vi.waitUntil(() => /Stopped|Nothing is/.test(words(ts)), soon);
    expect(words(ts)).toContain("the run is cancelled");
  });
});

it("takes no credit for what another person stopped", async () => {
  const other = await addLinked(test, slack, team, "member");
  model.script = () => ({ text: story, wordMs: 35 });
  const { ts } = await slack.mention(team, user, "a story");
  await vi.waitUntil(() => answersIn(team, ts).some(({ stream }) => stream === "open"), soon);
  await say("stop", ts, other.user);
  await say("stop", ts);
  await drainInbox(test);
  const [answer, theirs, ...others] = answersIn(team, ts).map(wordsOf);
  expect(answer).toMatch(/word0[\s\S]*Stopped\./);
  expect(theirs).toContain("Nothing is running here");
  expect(others).toEqual([]);
});

it("cancels a run once when its author says stop twice", async () => {
  const { ts } = await slack.mention(team, user, command());
  await showsRun(ts);
  await Promise.all([say("stop", ts), say("stop", ts)]);
  await drainInbox(test);
  expect(await isRunning()).toBe(false);
  const reports = answersIn(team, ts).filter((one) => /run is cancelled/.test(wordsOf(one)));
  expect(reports).toHaveLength(1);
});
