import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { answersIn, connectTeam, linkAddress, takeLink } from "#testing/chat";
import { addUser, channelOf, startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { startTestService } from "#testing/service";
import type { SignedIn, TestService } from "#testing/service";

let test: TestService;
let slack: FakeSlack;
let team: FakeTeam;
let ada: SignedIn;
/** Ada in the team, linked. */
let user: string;
let tool: string;

const soon = { timeout: 20_000, interval: 50 };

beforeAll(async () => {
  slack = await startFakeSlack();
  test = await startTestService(slack.settings);
  slack.appUrl = test.baseUrl;
  team = slack.addTeam("Engineering");
  await connectTeam(test, team);
  ada = await test.addSignedIn(test.workspaceId, "member");
  user = addUser(team, ada.email);
  await slack.mention(team, user, "hello");
  const address = await vi.waitUntil(() => linkAddress(team, user), soon);
  expect((await takeLink(test, address, ada)).status).toBe(200);
  tool = await test.makeTool("export default async (input) => ({ got: input });");
});
afterAll(async () => {
  await test.stop();
  await slack.close();
});

/** The bot's one answer in a thread. */
const answerTo = (thread: string, inTeam = team) =>
  vi.waitUntil(() => answersIn(inTeam, thread)[0], soon);

it("answers a mention in its thread with the result of the tool", async () => {
  const { status, ts } = await slack.mention(team, user, `run ${tool} {"n": 41}`);
  expect(status).toBe(200);
  const answer = await answerTo(ts);
  expect(JSON.stringify(answer.blocks)).toContain("41");
  expect(team.messages.find((message) => message.ts === ts)?.reactions).toEqual(["eyes"]);
});
