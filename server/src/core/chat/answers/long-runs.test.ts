import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { ChatDeliveryTable } from "#db";
import { addLinked, answersIn, connectTeam, runChatTask, drainInbox, soon } from "#testing/chat";
import { buttonsOf, press, wordsOf } from "#testing/chat-press";
import { startFakeModel } from "#testing/fake-model";
import type { FakeModel } from "#testing/fake-model";
import { channelOf, startFakeSlack } from "#testing/fake-slack";
import type { FakeMessage, FakeSlack, FakeTeam } from "#testing/fake-slack";
import { startTestService } from "#testing/service";
import type { SignedIn, TestService } from "#testing/service";

/** Runs that take longer than an answer waits. */
let test: TestService;
let slack: FakeSlack;
let model: FakeModel;
let walk: string;
let team: FakeTeam;
let connectionId: string;
/** A chat user in the team, and the member whom they are linked to. */
let user: string;
let person: SignedIn;

/** Reports progress and takes `ms` milliseconds. */
const code = `export default async ({ ms }, ctx) => {
  ctx.progress(0.5, "half way");
  await new Promise((done) => setTimeout(done, ms));
  return { walked: "all the way" };
};`;

beforeAll(async () => {
  [slack, model] = await Promise.all([startFakeSlack(), startFakeModel()]);
  test = await startTestService({ ...slack.settings, ...model.settings, RUN_WAIT_MS: "50" });
  slack.appUrl = test.baseUrl;
  team = slack.addTeam("Walkers");
  connectionId = await connectTeam(test, team);
  person = await joinTeam();
  walk = await test.makeTool(code, { title: "Walk far" });
});
afterAll(async () => {
  await test.stop();
  await Promise.all([slack.close(), model.close()]);
});

async function joinTeam(): Promise<SignedIn> {
  const linked = await addLinked(test, slack, team, "member");
  ({ user } = linked);
  return linked;
}

const answer = (thread: string, index = 0): Promise<FakeMessage> =>
  vi.waitUntil(() => answersIn(team, thread)[index], soon);

const deliveries = () => test.service.context.db.kysely.selectFrom("chat_deliveries").selectAll();

/** Starts a run of the member and a message of the bot, and returns the row that promises its result. */
async function startRun(ms = 0) {
  const { ts } = await slack.mention(team, user, "hello");
  const message = await answer(ts);
  const { body } = await person.call("POST", `/run/${walk}`, { ms });
  const now = test.service.context.clock.now();
  const promise = {
    run_id: String(body.runId),
    connection_id: connectionId,
    channel: channelOf(team),
    thread: ts,
    chat_user_id: user,
    message_id: message.ts,
    shown: null,
    shown_at: now,
    created_at: now,
  };
  return { ts, runId: promise.run_id, promise };
}

const notifyOnCompletion = (row: ChatDeliveryTable) =>
  test.service.context.db.kysely.insertInto("chat_deliveries").values(row).execute();

const hasEnded = (runId: string) =>
  vi.waitUntil(async () => {
    const { body } = await test.call("GET", `/runs/${runId}`);
    return body.status === "completed";
  }, soon);

/** Runs the task as several nodes at the same moment. */
async function deliverEnds(): Promise<void> {
  await Promise.all([1, 2, 3].map(() => runChatTask(test, "delivering completed runs to chats")));
  await drainInbox(test);
}

const path = () => `/workspaces/${test.workspaceId}/chat`;

const isBroken = () =>
  vi.waitUntil(async () => {
    const { body } = await test.callAsOwner("GET", path());
    return body[0].state === "broken";
  }, soon);

it("shows the progress of a long run, and posts its result once as a new message", async () => {
  const args = { tool_name: walk, arguments: { ms: 2_000 } };
  model.requests = [];
  model.script = () => ({ calls: [{ name: "service_execute_tool", args }] });
  const { ts } = await slack.mention(team, user, "walk far");
  const message = await answer(ts);
  expect(wordsOf(message)).toContain("Running ");
  expect(model.requests).toHaveLength(1);
  model.script = () => ({ text: "Hello." });
  await vi.waitUntil(async () => (await deliveries().execute()).length > 0, soon);
  // Messages are updated every few seconds. This makes the first update due.
  const { kysely } = test.service.context.db;
  await kysely.updateTable("chat_deliveries").set({ shown_at: 0 }).execute();
  await vi.waitUntil(async () => {
    await runChatTask(test, "posting run progress to chats");
    return /half way/.test(wordsOf(message));
  }, soon);
  const end = await answer(ts, 1);
  expect(wordsOf(end)).toContain("all the way");
  expect(JSON.stringify(end.blocks)).toContain(`"user_id":"${user}"`);
  await vi.waitUntil(() => wordsOf(message).includes("finished; result below"), soon);
  expect(model.requests).toHaveLength(1);
  await deliverEnds();
  expect(answersIn(team, ts)).toHaveLength(2);
});

it("says in the message of a stopped run that it was cancelled, and posts no result", async () => {
  const args = { tool_name: walk, arguments: { ms: 60_000 } };
  model.script = () => ({ calls: [{ name: "service_execute_tool", args }] });
  const { ts } = await slack.mention(team, user, "walk on");
  const message = await answer(ts);
  await vi.waitUntil(async () => (await deliveries().execute()).length > 0, soon);
  model.script = () => ({ text: "Hello." });
  await press(slack, team, { user, message, label: "Stop" });
  await vi.waitUntil(() => wordsOf(message).includes("Walk far was cancelled."), soon);
  await deliverEnds();
  expect(wordsOf(message)).not.toContain("finished");
  expect(buttonsOf(message)).toEqual([]);
  expect(answersIn(team, ts)).toHaveLength(1);
});

it("posts a completion once even if several nodes find it concurrently and again later", async () => {
  const { ts, runId, promise } = await startRun();
  await hasEnded(runId);
  await notifyOnCompletion(promise);
  await deliverEnds();
  expect(wordsOf(await answer(ts, 1))).toContain("all the way");
  // As found by a node that was offline for a while.
  await notifyOnCompletion(promise);
  await deliverEnds();
  expect(answersIn(team, ts)).toHaveLength(2);
  expect(await deliveries().execute()).toEqual([]);
});

it("posts a completion once a broken connection works again", async () => {
  const { ts, runId, promise } = await startRun();
  team.token = undefined;
  await slack.deliver(team, { type: "tokens_revoked", tokens: { bot: [team.botUserId] } });
  await isBroken();
  await notifyOnCompletion(promise);
  await hasEnded(runId);
  await deliverEnds();
  expect(answersIn(team, ts)).toHaveLength(1);
  expect(await connectTeam(test, team)).toBe(connectionId);
  await deliverEnds();
  expect(wordsOf(await answer(ts, 1))).toContain("all the way");
});

it("creates a dead letter for a completion if the token was revoked", async () => {
  const { ts, runId, promise } = await startRun();
  team.token = undefined;
  await notifyOnCompletion(promise);
  await hasEnded(runId);
  await deliverEnds();
  await isBroken();
  const { body } = await test.callAsOwner("GET", `${path()}/dead-letters`);
  expect(body).toMatchObject([{ kind: "run_ended" }]);
  await connectTeam(test, team);
  await test.callAsOwner("POST", `${path()}/dead-letters/${String(body[0].id)}/requeue`);
  expect(wordsOf(await answer(ts, 1))).toContain("all the way");
});

it("hides a completion from a former member", async () => {
  const { ts, runId, promise } = await startRun();
  await hasEnded(runId);
  await test.callAsOwner("DELETE", `/workspaces/${test.workspaceId}/members/${person.userId}`);
  const before = team.messages.length;
  await notifyOnCompletion(promise);
  await deliverEnds();
  expect(answersIn(team, ts)).toHaveLength(1);
  expect(JSON.stringify([team.messages.slice(before), team.ephemerals])).not.toContain("all the");
});

it("drops a completion after the team was disconnected", async () => {
  person = await joinTeam();
  const { ts, runId, promise } = await startRun(1_000);
  await notifyOnCompletion(promise);
  expect((await test.callAsOwner("DELETE", `${path()}/${connectionId}`)).status).toBe(204);
  await hasEnded(runId);
  await deliverEnds();
  expect(answersIn(team, ts)).toHaveLength(1);
  await runChatTask(test, "revoking tokens of disconnected chats");
  expect(await deliveries().execute()).toEqual([]);
});
