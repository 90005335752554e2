import { afterAll, beforeAll, describe, expect, it } from "vitest";
// Imported by its path: a test without database statements runs once, not per dialect.
import { channelOf, startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { botScopes } from "./manifest.ts";
import { openSlack } from "./slack-transport.ts";

let slack: FakeSlack;
let team: FakeTeam;

beforeAll(async () => {
  slack = await startFakeSlack();
  team = slack.addTeam("Engineering");
  team.token = "xoxb-token-of-the-test";
  team.scopes = new Set(botScopes);
});
afterAll(() => slack.close());

const open = () => {
  const { id: teamId, botUserId, token: secret = "" } = team;
  return openSlack(`${slack.baseUrl}/api/`, { teamId, botUserId, secret });
};

/** A thread with replies of a user. */
const threadOf = (replies: number) => {
  const channel = channelOf(team);
  const thread = team.nextTs();
  const common = { channel, user: "U1", reactions: [], edits: 0 };
  team.messages.push({ ...common, ts: thread, text: "root" });
  for (let n = 0; n < replies; n++) {
    team.messages.push({ ...common, ts: team.nextTs(), thread_ts: thread, text: `reply ${n}` });
  }
  return { channel, thread };
};

describe("readThread", () => {
  it("returns the first message and the newest ones of a long thread", async () => {
    const threadRef = threadOf(450);
    const before = team.nextTs();
    const messages = await open().readThread(threadRef, { before, limit: 20 });
    expect(messages.map(({ text }) => text)).toEqual([
      "root",
      ...Array.from({ length: 19 }, (_, n) => `reply ${431 + n}`),
    ]);
  });

  it("asks for a bounded number of pages", async () => {
    const threadRef = threadOf(3_000);
    const callsBefore = slack.calls.length;
    const bounds = { before: team.nextTs(), limit: 20 };
    const messages = await open().readThread(threadRef, bounds);
    expect(slack.calls.length - callsBefore).toBeLessThanOrEqual(10);
    expect(messages[0]?.text).toBe("root");
  });
});

describe("findMarked", () => {
  it("finds a message beyond the first page", async () => {
    const threadRef = threadOf(0);
    const since = team.nextTs();
    const common = { channel: threadRef.channel, user: "U1", reactions: [], edits: 0 };
    for (let n = 0; n < 450; n++) {
      const ts = team.nextTs();
      team.messages.push({ ...common, ts, thread_ts: threadRef.thread, text: "chatter" });
    }
    const blocks = [{ kind: "text", text: "The answer" }] as const;
    const posted = await open().post(threadRef, { blocks, mark: "job-1" });
    expect(await open().findMarked(threadRef, "job-1", since)).toBe(posted);
    expect(await open().findMarked(threadRef, "job-2", since)).toBeUndefined();
  });
});
