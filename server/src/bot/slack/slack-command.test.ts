import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  addLinked,
  answersIn,
  confirmLink,
  connectTeam,
  drainInbox,
  findLinkUrl,
  inboxOf,
  soon,
} from "#testing/chat";
import { buttonsOf, press, submit, viewOf, wordsOf } from "#testing/chat-press";
import { addUser, startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { asMessage, directTo, shownTo } from "#testing/slack-surfaces";

let test: TestService;
let slack: FakeSlack;
let team: FakeTeam;
let user: string;

beforeAll(async () => {
  slack = await startFakeSlack();
  test = await startTestService(slack.settings);
  slack.appUrl = test.baseUrl;
  team = slack.addTeam("Engineering");
  await connectTeam(test, team);
});
afterAll(async () => {
  await test.stop();
  await slack.close();
});

const echo = "export default async (input) => ({ got: input });";
const runsOf = async (tool: string) =>
  (await test.call("GET", `/runs?toolName=${tool}`)).body as { input: object }[];
/** A tool that only its words find, and a new person. */
const prepare = async (title: string, rest: object = {}) => {
  ({ user } = await addLinked(test, slack, team, "member"));
  return test.makeTool(echo, { title, description: `${title}.`, ...rest });
};
/** What the person was shown after the first `count` messages. */
const next = (count: number, of = user) =>
  vi.waitUntil(() => shownTo(team, of).slice(count)[0], soon);
const pressIn = async (shown: Awaited<ReturnType<typeof next>>, label: string) =>
  press(slack, team, { user, message: asMessage(team, shown), label });

const converter = {
  inputSchema: {
    type: "object",
    properties: { amount: { type: "number" }, from: { type: "string" }, to: { type: "string" } },
    required: ["amount", "from", "to"],
  },
};

describe("a slash command", () => {
  it("is acknowledged at once, and answered for its author only", async () => {
    const tool = await prepare("Convert narwhal currency", converter);
    const before = team.messages.length;
    const count = shownTo(team, user).length;
    const asked = await slack.command(team, user, "convert narwhal currency 5 usd to eur");
    expect(asked.status).toBe(200);
    expect(JSON.parse(asked.text)).toMatchObject({ response_type: "ephemeral" });
    const offer = await next(count);
    expect(offer.isResponse).toBe(true);
    expect(buttonsOf(offer)[0]?.label).toBe("Run");
    expect(await runsOf(tool)).toEqual([]);
    await pressIn(offer, "Run");
    const result = await next(count + 1);
    expect(wordsOf(result)).toContain("usd");
    expect(wordsOf(shownTo(team, user)[count] ?? result)).toContain("chose to run");
    expect(await runsOf(tool)).toMatchObject([{ input: { amount: 5, from: "usd", to: "eur" } }]);
    expect(team.messages.slice(before)).toEqual([]);
  });

  it("opens a form for missing values, and answers it for its author only", async () => {
    const tool = await prepare("Weigh narwhal luggage", converter);
    const count = shownTo(team, user).length;
    await slack.command(team, user, `run ${tool}`);
    const trigger = await pressIn(await next(count), "Enter details");
    const view = await vi.waitUntil(() => viewOf(team, trigger), soon);
    const values = {
      amount: { type: "number_input", value: "7" },
      from: { type: "plain_text_input", value: "kg" },
      to: { type: "plain_text_input", value: "lb" },
    };
    expect(await submit(slack, team, { user, view, values })).toMatchObject({ errors: {} });
    expect(wordsOf(await next(count + 1))).toContain("lb");
    await drainInbox(test);
    expect(await runsOf(tool)).toHaveLength(1);
  });

  it("shows help and the person's tools without a text", async () => {
    const tool = await prepare("Paint narwhal tusk");
    const count = shownTo(team, user).length;
    await slack.command(team, user, `run ${tool} {}`);
    await pressIn(await next(count), "Run");
    await next(count + 1);
    await drainInbox(test);
    const shown = shownTo(team, user).length;
    await slack.command(team, user, "");
    const help = await next(shown);
    expect(wordsOf(help)).toContain("Tell me what you need");
    expect(buttonsOf(help).map(({ label }) => label)).toEqual(["Paint narwhal tusk"]);
    await pressIn(help, "Paint narwhal tusk");
    const labels = () => buttonsOf(shownTo(team, user)[shown] ?? help).map(({ label }) => label);
    await vi.waitUntil(() => labels().includes("Run"), soon);
  });

  it("is answered once, however often it is delivered", async () => {
    const tool = await prepare("Brush narwhal teeth");
    const count = shownTo(team, user).length;
    const { fields } = await slack.command(team, user, `run ${tool} {}`);
    const body = new URLSearchParams(fields).toString();
    const type = "application/x-www-form-urlencoded";
    const added = await inboxOf(test, async () => {
      for (let n = 0; n < 3; n++) await slack.send("/bot/slack/commands", body, type);
    });
    expect(added).toBe(0);
    await drainInbox(test);
    expect(shownTo(team, user)).toHaveLength(count + 1);
  });

  it("continues in a direct message once its URL takes no more answers", async () => {
    const tool = await prepare("Comb narwhal hair");
    const count = shownTo(team, user).length;
    slack.faults.push({ method: "response_url", times: 1, status: 503 });
    const { responseUrl } = await slack.command(team, user, `run ${tool} {}`);
    const issued = slack.responseUrls.get(new URL(responseUrl).pathname);
    if (issued === undefined) throw new Error("Slack issued no URL");
    issued.uses = 5;
    const [message] = await vi.waitUntil(() => {
      const all = directTo(team, user);
      return all.length > 0 && all;
    }, soon);
    expect(shownTo(team, user)).toHaveLength(count);
    if (message === undefined) throw new Error("There is no message");
    await press(slack, team, { user, message, label: "Run" });
    await vi.waitFor(async () => expect(await runsOf(tool)).toHaveLength(1), soon);
  });

  it.each([
    ["429", { status: 429, retryAfterSeconds: 1 }],
    ["503", { status: 503 }],
  ])("is answered once after a %s", async (_, fault) => {
    const tool = await prepare("Trim narwhal whiskers");
    const count = shownTo(team, user).length;
    slack.faults.push({ method: "response_url", times: 1, ...fault });
    await slack.command(team, user, `run ${tool} {}`);
    await next(count);
    await drainInbox(test);
    expect(shownTo(team, user)).toHaveLength(count + 1);
  });

  it("reports a long run by direct message", async () => {
    await prepare("unused");
    const slow = await test.makeTool(
      "export default async () => { await new Promise((resolve) => setTimeout(resolve, 12_000)); return { slept: 12 }; };",
      { title: "Let narwhal sleep", description: "Sleeps." },
    );
    const count = shownTo(team, user).length;
    await slack.command(team, user, `run ${slow} {}`);
    await pressIn(await next(count), "Run");
    expect(wordsOf(await next(count + 1))).toContain("Running Let narwhal sleep");
    const found = await vi.waitUntil(() => directTo(team, user)[0], soon);
    expect(wordsOf(found)).toContain("12");
    await drainInbox(test);
    expect(directTo(team, user)).toHaveLength(1);
  });

  it("asks a person without an account to link it, and continues", async () => {
    const tool = await prepare("Wake narwhal");
    const person = await test.addSignedIn(test.workspaceId, "member");
    const unknown = addUser(team, person.email);
    await slack.command(team, unknown, `run ${tool} {}`);
    const address = await vi.waitUntil(() => findLinkUrl(team, unknown), soon);
    expect((await confirmLink(test, address, person)).status).toBe(200);
    const offer = await next(1, unknown);
    expect(buttonsOf(offer)[0]?.label).toBe("Run");
  });

  it("says that a team is not connected, and refuses a request without a signature", async () => {
    const stranger = slack.addTeam("Strangers");
    const asked = await slack.command(stranger, addUser(stranger, "a@b.example"), "help");
    expect(asked.text).toContain("isn't connected");
    expect((await slack.command(team, user, "help", { signature: "" })).status).toBe(401);
    expect((await slack.command(team, user, "help", { secret: "other" })).status).toBe(401);
  });
});

describe("a conversation of several people", () => {
  it("answers a mention once, with the thread as context", async () => {
    const tool = await prepare("Feed narwhal");
    const channel = "G0GROUP";
    team.channels.add(channel);
    team.groups.add(channel);
    const ts = team.nextTs();
    const text = `<@${team.botUserId}> run ${tool} {}`;
    const said = { type: "message", channel_type: "mpim", channel, user, text, ts };
    team.messages.push({ ...said, reactions: [], edits: 0 });
    await slack.deliver(team, said);
    // Slack may send both events.
    await slack.deliver(team, { ...said, type: "app_mention" });
    const [offer] = await vi.waitUntil(() => {
      const all = answersIn(team, ts);
      return all.length > 0 && all;
    }, soon);
    expect(offer?.channel).toBe(channel);
    const reply = { ...said, text: "and the calf, too", ts: team.nextTs(), thread_ts: ts };
    team.messages.push({ ...reply, reactions: [], edits: 0 });
    await slack.deliver(team, reply);
    await slack.deliver(team, { ...said, ts: team.nextTs(), text: "no mention" });
    await drainInbox(test);
    expect(answersIn(team, ts)).toHaveLength(1);
    const { kysely } = test.service.context.db;
    const stored = await kysely
      .selectFrom("chat_messages")
      .select("text")
      .where("channel", "=", channel)
      .where("thread", "=", ts)
      .execute();
    expect(stored.length).toBeGreaterThanOrEqual(3);
  });
});
