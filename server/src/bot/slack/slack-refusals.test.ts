import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  addLinked,
  answersIn,
  confirmLink,
  connectTeam,
  drainInbox,
  findLinkUrl,
  soon,
} from "#testing/chat";
import { buttonsOf, press, pressValue, viewOf, wordsOf } from "#testing/chat-press";
import { unusedModel } from "#testing/fake-model";
import { addUser, channelOf, startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let slack: FakeSlack;
let team: FakeTeam;
let user: string;
let tool: string;

beforeAll(async () => {
  slack = await startFakeSlack();
  test = await startTestService({ ...slack.settings, ...unusedModel });
  slack.appUrl = test.baseUrl;
  team = slack.addTeam("Engineering");
  await connectTeam(test, team);
  ({ user } = await addLinked(test, slack, team, "member"));
  tool = await test.makeTool("export default async (input) => ({ got: input });", {
    title: "Repeat it",
    inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  });
});
afterAll(async () => {
  await test.stop();
  await slack.close();
});
afterEach(() => {
  slack.faults.length = 0;
});

const toPerson = () => team.messages.filter(({ channel }) => channel === `D${user.slice(1)}`);

describe("an answer that Slack refuses in the channel", () => {
  it("is sent as a direct message", async () => {
    const channel = channelOf(team);
    slack.faults.push({
      method: "chat.postMessage",
      channel,
      times: 9,
      error: "restricted_action",
    });
    await slack.mention(team, user, `run ${tool} {"n": 4711}`);
    const message = await vi.waitUntil(() => toPerson()[0], soon);
    expect(wordsOf(message)).toMatch(/can't post in that channel[\s\S]*4711/);
    await drainInbox(test);
    expect(toPerson()).toHaveLength(1);
  });

  it("is ephemeral if direct messages are refused too", async () => {
    slack.faults.push({ method: "chat.postMessage", times: 9, error: "restricted_action" });
    await slack.mention(team, user, `run ${tool} {"n": 4712}`);
    const isShown = () => team.ephemerals.some((one) => wordsOf(one).includes("4712"));
    await vi.waitUntil(isShown, soon);
    await drainInbox(test);
    expect(slack.faults[0]?.times).toBeLessThan(9);
  });

  it("continues after a press although the message with the button no longer exists", async () => {
    const { ts } = await slack.mention(team, user, `run ${tool}`);
    const offer = await vi.waitUntil(() => answersIn(team, ts)[0], soon);
    const trigger = await press(slack, team, { user, message: offer, label: "Enter details" });
    expect(viewOf(team, trigger)?.title.text).toBe("Repeat it");
    slack.faults.push({ method: "chat.update", times: 9, error: "message_not_found" });
    await slack.interact({
      type: "view_submission",
      team: { id: team.id },
      user: { id: user },
      view: {
        callback_id: "toolhost_form",
        private_metadata: viewOf(team, trigger)?.private_metadata,
        state: { values: { "field:n": { value: { type: "number_input", value: "31" } } } },
      },
    });
    expect(wordsOf(await vi.waitUntil(() => answersIn(team, ts)[1], soon))).toContain("31");
  });
});

describe("a message of a person who is not linked", () => {
  it("is answered once they have linked their account", async () => {
    const person = await test.addSignedIn(test.workspaceId, "member");
    const stranger = addUser(team, person.email);
    const { ts } = await slack.mention(team, stranger, `run ${tool} {"n": 808}`);
    const address = await vi.waitUntil(() => findLinkUrl(team, stranger), soon);
    await drainInbox(test);
    expect(answersIn(team, ts)).toEqual([]);
    expect((await confirmLink(test, address, person)).status).toBe(200);
    expect(wordsOf(await vi.waitUntil(() => answersIn(team, ts)[0], soon))).toContain("808");
    await drainInbox(test);
    expect(answersIn(team, ts)).toHaveLength(1);
  });
});

describe("a form that Slack does not open", () => {
  it.each([
    ["an expired trigger", { error: "expired_trigger_id" }],
    ["a rate limit", { status: 429, error: "ratelimited", retryAfterSeconds: 30 }],
    ["an outage", { status: 503 }],
  ])("offers the form as a page, and another try, after %s", async (_, fault) => {
    const { ts } = await slack.mention(team, user, `run ${tool}`);
    const message = await vi.waitUntil(() => answersIn(team, ts)[0], soon);
    slack.faults.push({ method: "views.open", times: 1, ...fault });
    const before = team.ephemerals.length;
    await press(slack, team, { user, message, label: "Enter details" });
    const notice = await vi.waitUntil(() => team.ephemerals[before], soon);
    expect(wordsOf(notice)).toContain("couldn't be opened");
    const [page, again] = buttonsOf({ blocks: notice.blocks });
    expect([page?.label, again?.label]).toEqual(["Open the form", "Try again"]);
    expect(page?.url).toContain(`${test.baseUrl}/bot/form?token=`);
    const pressed = { user, message, value: again?.value, isEphemeral: true };
    const trigger = await pressValue(slack, team, pressed);
    expect(viewOf(team, trigger)?.title.text).toBe("Repeat it");
  });
});
