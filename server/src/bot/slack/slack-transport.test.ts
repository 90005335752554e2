import { afterAll, beforeAll, describe, expect, it } from "vitest";
// Imported by its path: a test without database statements runs once, not per dialect.
import { channelOf, slackId, startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import type { ChatField } from "#core/chat";
import { passMinute } from "#testing/fake-slack-rates";
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
    const { messages } = await open().readThread(threadRef, { before, limit: 20 });
    expect(messages.map(({ text }) => text)).toEqual([
      "root",
      ...Array.from({ length: 19 }, (_, n) => `reply ${431 + n}`),
    ]);
  });

  it("keeps what it has read when Slack allows no further page", async () => {
    const fault = { method: "conversations.replies", times: 1, argument: "cursor", status: 429 };
    slack.faults.push({ ...fault, error: "ratelimited", retryAfterSeconds: 60 });
    const bounds = { before: "9999999999.000000", limit: 20 };
    const { messages, isComplete } = await open().readThread(threadOf(1_450), bounds);
    expect(messages[0]?.text).toBe("root");
    expect(messages).toHaveLength(20);
    expect(isComplete).toBe(false);
  });

  it("requests a bounded number of pages", async () => {
    const threadRef = threadOf(3_000);
    const callsBefore = slack.calls.length;
    const bounds = { before: team.nextTs(), limit: 20 };
    const { messages } = await open().readThread(threadRef, bounds);
    expect(slack.calls.length - callsBefore).toBeLessThanOrEqual(10);
    expect(messages[0]?.text).toBe("root");
  });
});

describe("an app that may read one small page per minute", () => {
  beforeAll(() => {
    team.isLowestTier = true;
  });
  afterAll(() => {
    team.isLowestTier = false;
  });
  const bounds = () => ({ before: team.nextTs(), limit: 20 });
  const newest = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `reply ${from + n}`);

  it("reads a short thread in one page", async () => {
    passMinute(team);
    const { messages, isComplete } = await open().readThread(threadOf(10), bounds());
    expect(messages).toHaveLength(11);
    expect(isComplete).toBe(true);
  });

  it("keeps the oldest messages at first, and reads the newest ones a minute later", async () => {
    passMinute(team);
    const transport = open();
    const threadRef = threadOf(60);
    const first = await transport.readThread(threadRef, bounds());
    expect(first.messages.map(({ text }) => text)).toEqual(["root", ...newest(0, 14)]);
    expect(first.isComplete).toBe(false);
    passMinute(team);
    const later = await transport.readThread(threadRef, bounds());
    const texts = later.messages.map(({ text }) => text);
    expect(texts).toEqual(["root", ...newest(60 - texts.length + 1, 60)]);
    expect(texts.length).toBeGreaterThan(8);
    expect(later.isComplete).toBe(true);
  });

  it("reads nothing twice in a minute", async () => {
    passMinute(team);
    const transport = open();
    await transport.readThread(threadOf(60), bounds());
    expect(await transport.readThread(threadOf(60), bounds())).toEqual({
      messages: [],
      isComplete: false,
    });
  });

  it("continues the search for a message after the pages that were read", async () => {
    passMinute(team);
    const transport = open();
    const threadRef = threadOf(0);
    const since = team.nextTs();
    const common = { channel: threadRef.channel, user: "U1", reactions: [], edits: 0 };
    const chat = (count: number) => {
      for (let n = 0; n < count; n++)
        team.messages.push({ ...common, ts: team.nextTs(), thread_ts: threadRef.thread, text: "" });
    };
    chat(20);
    const blocks = [{ kind: "text", text: "The answer" }] as const;
    const posted = await transport.post(threadRef, { blocks, mark: "job-6" });
    chat(20);
    await expect(transport.findMarked(threadRef, "job-6", since)).rejects.toMatchObject({
      failure: "later",
    });
    passMinute(team);
    expect(await transport.findMarked(threadRef, "job-6", since)).toBe(posted);
  });
});

describe("openForm", () => {
  const form = {
    questionId: "q",
    title: "Book a room",
    submitLabel: "Run",
  };
  const field = { name: "a", label: "A", isRequired: true } as const;
  it.each<[string, ChatField]>([
    ["a text beyond its length", { ...field, kind: "text", initial: "abcdef", maxLength: 3 }],
    ["a text beyond Slack's length", { ...field, kind: "longText", initial: "x".repeat(3_001) }],
    [
      "a number below its minimum",
      { ...field, kind: "number", isWhole: false, initial: "-1", min: 0 },
    ],
    [
      "a number above its maximum",
      { ...field, kind: "number", isWhole: false, initial: "11", max: 10 },
    ],
    [
      "a fraction of a whole number",
      { ...field, kind: "number", isWhole: true, initial: "1.5", min: 0.5 },
    ],
    [
      "a number with an exponent",
      { ...field, kind: "number", isWhole: false, initial: "1e21", max: 1e21 },
    ],
    ["bounds that exclude each other", { ...field, kind: "number", isWhole: true, min: 3, max: 2 }],
    ["a date that does not exist", { ...field, kind: "date", initial: "2026-02-30" }],
    ["a date in words", { ...field, kind: "date", initial: "tomorrow" }],
    ["a time in words", { ...field, kind: "time", initial: "noon" }],
  ])("leaves out %s", async (_, one) => {
    const trigger = slackId("TR");
    team.triggers.set(trigger, Date.now());
    await open().openForm(trigger, { ...form, fields: [one] });
    const { view } = team.views.find((shown) => shown.trigger === trigger) ?? {};
    expect(JSON.stringify(view)).not.toContain("initial");
  });
});

it("opens a form once for a press that is delivered again", async () => {
  const trigger = slackId("TR");
  team.triggers.set(trigger, Date.now());
  const form = { questionId: "q", title: "Book a room", submitLabel: "Run" };
  const fields: ChatField[] = [{ name: "a", label: "A", isRequired: true, kind: "text" }];
  for (const delivery of [form, form]) await open().openForm(trigger, { ...delivery, fields });
  expect(team.views.filter((shown) => shown.trigger === trigger)).toHaveLength(1);
});

describe("post", () => {
  const blocks = [
    { kind: "text", text: "The answer" },
    { kind: "buttons", buttons: [{ label: "Run", questionId: "q", choice: "run" }] },
  ] as const;
  it.each([
    ["with the buttons, if Slack refuses the blocks", 1, true],
    ["as plain text, if Slack refuses the buttons too", 2, false],
  ])("posts a message %s", async (_, times, hasButtons) => {
    for (const error of ["invalid_blocks", "msg_too_long", "msg_blocks_too_long"]) {
      slack.faults.push({ method: "chat.postMessage", times, error });
      const threadRef = threadOf(0);
      const ts = await open().post(threadRef, { blocks, mark: "job-3" });
      const posted = team.messages.find((message) => message.ts === ts);
      expect(posted?.text).toContain("The answer");
      expect(JSON.stringify(posted?.blocks).includes('"q:run"')).toBe(hasButtons);
    }
  });

  it.each([
    [9_000, true],
    [30_000, false],
  ])(
    "keeps buttons below %i refused characters only if all are shown: %s",
    async (length, isWhole) => {
      slack.faults.push({ method: "chat.postMessage", times: 1, error: "invalid_blocks" });
      const text = { kind: "text", text: `${"x".repeat(length)} the end` } as const;
      const ts = await open().post(threadOf(0), { blocks: [text, blocks[1]], mark: "job-5" });
      const posted = JSON.stringify(team.messages.find((message) => message.ts === ts)?.blocks);
      expect(posted.includes('"q:run"')).toBe(isWhole);
      expect(posted.includes("the end")).toBe(isWhole);
    },
  );

  it("fits long text that has to be escaped into Slack's limits", async () => {
    const text = "<&>".repeat(3_000);
    const long = [
      { kind: "text", text },
      { kind: "markdown", text },
    ] as const;
    const threadRef = threadOf(0);
    const messageId = await open().post(threadRef, { blocks: long, mark: "job-4" });
    await open().update(threadRef, { messageId, blocks: long });
    expect(team.messages.find(({ ts }) => ts === messageId)?.edits).toBe(1);
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
