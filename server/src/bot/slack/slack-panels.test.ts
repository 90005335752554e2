import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { addLinked, answersIn, connectTeam, drainInbox, soon } from "#testing/chat";
import { press, submit, wordsOf } from "#testing/chat-press";
import type { FakeView } from "#testing/chat-press";
import { addFile, addUser, slackId, startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { startTestService } from "#testing/service";
import type { SignedIn, TestService } from "#testing/service";
import {
  directTo,
  filledView,
  openHome,
  pressInView,
  useShortcut,
  viewButtons,
} from "#testing/slack-surfaces";

let test: TestService;
let slack: FakeSlack;
let team: FakeTeam;
let member: SignedIn & { user: string };
let user: string;

beforeAll(async () => {
  slack = await startFakeSlack();
  test = await startTestService(slack.settings);
  slack.appUrl = test.baseUrl;
  team = slack.addTeam("Engineering");
  await connectTeam(test, team);
  member = await addLinked(test, slack, team, "member");
  ({ user } = member);
});
afterAll(async () => {
  await test.stop();
  await slack.close();
});

const echo = "export default async (input) => ({ got: input });";
const makeTool = (title: string, rest: object = {}) =>
  test.makeTool(echo, { title, description: `${title}. More words.`, ...rest });
const runsOf = async (tool: string) =>
  (await test.call("GET", `/runs?toolName=${tool}`)).body as { input: Record<string, unknown> }[];
const asForm = (view: object) => view as FakeView;
const text = JSON.stringify;
/** A message of someone in a channel. */
const write = (words: string, rest: object = {}) => {
  const message = { ts: team.nextTs(), text: words, ...rest };
  const channel = [...team.channels][0] ?? "";
  team.messages.push({ ...message, channel, user, reactions: [], edits: 0 });
  return message;
};
const stringTool = {
  inputSchema: {
    type: "object",
    properties: { link: { type: "string", format: "uri" }, note: { type: "string" } },
    required: ["link"],
  },
};

describe("the shortcut of a message", () => {
  it("opens a loading view at once, then the form with the message's values", async () => {
    const tool = await makeTool("Archive platypus link", stringTool);
    const message = write("please archive the platypus link https://a.example/b?c=1");
    const opened = slack.calls.length;
    const trigger = await useShortcut(slack, team, { user, message });
    const methods = slack.calls.slice(opened).map(({ method }) => method);
    expect(methods[0]).toBe("views.open");
    const view = await filledView(team, trigger);
    expect(text(view)).toContain("https://a.example/b?c=1");
    expect(await runsOf(tool)).toEqual([]);
    const values = { link: { type: "url_text_input", value: "https://a.example/b" } };
    const sent = { user, view: asForm(view), values };
    expect(await submit(slack, team, sent)).toEqual({ errors: {}, notice: undefined });
    expect((await submit(slack, team, sent)).notice).toContain("already answered");
    const answer = await vi.waitUntil(() => answersIn(team, message.ts)[0], soon);
    expect(wordsOf(answer)).toContain("https://a.example/b");
    await drainInbox(test);
    expect(await runsOf(tool)).toHaveLength(1);
  });

  it("takes the files of the message", async () => {
    const tool = await makeTool("Stamp platypus file", {
      inputSchema: {
        type: "object",
        properties: { sheet: { type: "string" } },
        required: ["sheet"],
      },
      fileFields: ["sheet"],
    });
    const file = addFile(team, { text: "do re mi" });
    const message = write("stamp the platypus file", { files: [file] });
    const trigger = await useShortcut(slack, team, { user, message });
    const view = await filledView(team, trigger);
    await submit(slack, team, { user, view: asForm(view), values: {} });
    await vi.waitUntil(async () => (await runsOf(tool)).length === 1, soon);
    expect((await runsOf(tool))[0]?.input["sheet"]).toMatch(/^[\w-]{36}$/);
  });

  it("offers a choice of tools, whose form replaces it", async () => {
    for (const kind of ["bronze", "marble", "wooden"]) {
      await makeTool(`Polish ${kind} wombat`, { description: "Polishes a wombat." });
    }
    const message = write("polish the wombat");
    const trigger = await useShortcut(slack, team, { user, message });
    const view = await filledView(team, trigger);
    const buttons = viewButtons(view);
    expect(buttons.map(({ label }) => label)).toEqual(["Choose", "Choose", "Choose"]);
    const [button] = buttons;
    if (button === undefined) throw new Error("There is no button");
    const other = await addLinked(test, slack, team, "member");
    await pressInView(slack, team, { user: other.user, view, button });
    const refused = team.views.find((one) => one.trigger === trigger)?.view ?? view;
    expect(text(refused)).toContain("Only the user who asked");
    await pressInView(slack, team, { user, view, button });
    const form = team.views.find((one) => one.trigger === trigger)?.view ?? view;
    expect(text(form)).toContain('"submit"');
    await submit(slack, team, { user, view: asForm(form), values: {} });
    await vi.waitUntil(() => answersIn(team, message.ts)[0], soon);
  });

  it("explains that no tool was found, and asks an unknown person to link an account", async () => {
    const message = write("qwertyuiop");
    const trigger = await useShortcut(slack, team, { user, message });
    expect(text(await filledView(team, trigger))).toContain("I found no tool");
    const unknown = addUser(team, "unknown@example.com");
    const theirs = await useShortcut(slack, team, { user: unknown, message });
    expect(text(await filledView(team, theirs))).toContain("/bot/link?token=");
  });

  it("opens one view for a repeated delivery", async () => {
    const message = write("qwertyuiop");
    const trigger = await useShortcut(slack, team, { user, message });
    await filledView(team, trigger);
    await useShortcut(slack, team, { user, message, trigger });
    expect(team.views.filter((one) => one.trigger === trigger)).toHaveLength(1);
    expect(directTo(team, user)).toEqual([]);
  });

  it.each([
    ["has expired", { error: "expired_trigger_id" }],
    ["is rate limited", { status: 429, retryAfterSeconds: 1 }],
    ["meets an outage", { status: 503 }],
  ])("notifies the person when the trigger %s", async (_, fault) => {
    const person = await addLinked(test, slack, team, "member");
    slack.faults.push({ method: "views.open", times: 1, ...fault });
    const message = write("qwertyuiop");
    await useShortcut(slack, team, { user: person.user, message });
    const [notice] = await vi.waitUntil(() => {
      const all = directTo(team, person.user);
      return all.length > 0 && all;
    }, soon);
    expect(notice?.text).toContain("couldn't be opened");
  });
});

describe("the Home", () => {
  const homeOf = (of: string, has: string) =>
    vi.waitUntil(() => {
      const home = team.homes.get(of);
      return text(home ?? {}).includes(has) && home;
    }, soon);
  /** A later opening than those that were answered together. */
  const openAgain = async (of: string) => {
    const { kysely } = test.service.context.db;
    await drainInbox(test);
    await kysely.deleteFrom("chat_inbox").where("kind", "=", "home").execute();
    await openHome(slack, team, of);
  };

  it("shows own tools, and runs one by its form, with the answer in the conversation", async () => {
    const person = await addLinked(test, slack, team, "member");
    const tool = await makeTool("Tickle <!channel> echidna", { description: "Tickles. A lot." });
    await person.call("PUT", "/preferences", { favorites: [tool] });
    await openHome(slack, team, person.user);
    const home = await homeOf(person.user, "Your tools");
    const [run] = viewButtons(home);
    expect(run).toMatchObject({ label: "Run", value: tool });
    if (run === undefined) throw new Error("There is no button");
    const trigger = await pressInView(slack, team, { user: person.user, view: home, button: run });
    const view = await filledView(team, trigger);
    await submit(slack, team, { user: person.user, view: asForm(view), values: {} });
    const answer = await vi.waitUntil(() => directTo(team, person.user)[0], soon);
    expect(wordsOf(answer)).toContain("echidna");
    await drainInbox(test);
    expect(await runsOf(tool)).toHaveLength(1);
    await openAgain(person.user);
    await vi.waitUntil(() => team.homes.get(person.user)?.hash !== home.hash, soon);
  });

  it("shows what waits for the person, and their runs", async () => {
    const person = await addLinked(test, slack, team, "member");
    const careful = await makeTool("Launch echidna", { confirm: true });
    const slow = await test.makeTool(
      "export default async () => { await new Promise((resolve) => setTimeout(resolve, 8_000)); return {}; };",
      { title: "Bake echidna cake", description: "Bakes." },
    );
    const { ts } = await slack.mention(team, person.user, `run ${careful} {}`);
    const asked = await vi.waitUntil(() => answersIn(team, ts)[0], soon);
    const curious = await test.makeTool(
      `export default async (_, ctx) => ctx.ask({ message: "How many?", schema: { type: "object", properties: { n: { type: "number" } } } });`,
      { title: "Count echidna spines", description: "Counts." },
    );
    // They answer after a while, but are listed at once.
    const [one, two] = [slow, curious].map((tool) => person.call("POST", `/run/${tool}`, {}));
    await vi.waitUntil(async () => {
      const { body } = await person.call("GET", "/runs?status=running");
      return text(body).includes("How many?") && (body as unknown as object[]).length === 2;
    }, soon);
    await openHome(slack, team, person.user);
    const home = await homeOf(person.user, "asks you to confirm");
    expect(text(home)).toContain("Bake echidna cake is running");
    expect(text(home)).toContain("Count echidna spines asks you a question");
    const urls = viewButtons(home).flatMap(({ url }) => url ?? []);
    expect(urls).toContain(
      `https://fake.slack.com/archives/${asked.channel}/p${asked.ts.replace(".", "")}`,
    );
    await press(slack, team, { user: person.user, message: asked, label: "Cancel" });
    await openAgain(person.user);
    await vi.waitUntil(
      () => !text(team.homes.get(person.user)).includes("asks you to confirm"),
      soon,
    );
    await Promise.all([one, two]);
  });

  it("asks an unknown person to link their account", async () => {
    const unknown = addUser(team, "nobody@example.com");
    await openHome(slack, team, unknown);
    expect(viewButtons(await homeOf(unknown, "Toolhost account"))[0]?.url).toContain("/bot/link");
  });

  it("stays within Slack's limits with many tools and long texts", async () => {
    const person = await addLinked(test, slack, team, "member");
    const long = "x".repeat(1_000);
    const tools = [];
    for (let n = 0; n < 14; n++) {
      tools.push(await makeTool(`Tool ${n} ${"y".repeat(70)}`, { description: long }));
    }
    await person.call("PUT", "/preferences", { favorites: tools });
    await openHome(slack, team, person.user);
    const home = await homeOf(person.user, "Your tools");
    expect(viewButtons(home).filter(({ label }) => label === "Run")).toHaveLength(10);
  });

  it("publishes once for many openings at the same time", async () => {
    const person = await addLinked(test, slack, team, "member");
    const before = slack.calls.length;
    const eventId = slackId("Ev");
    await Promise.all([1, 2, 3, 4].map(() => openHome(slack, team, person.user, { eventId })));
    await homeOf(person.user, "Run your tools from here");
    await drainInbox(test);
    const calls = slack.calls.slice(before).filter(({ method }) => method === "views.publish");
    expect(calls.length).toBeLessThanOrEqual(2);
  });

  it.each([
    ["a stale version", undefined],
    ["a rate limit", { status: 429, retryAfterSeconds: 1 }],
  ])("is published after %s", async (_, fault) => {
    const person = await addLinked(test, slack, team, "member");
    await openHome(slack, team, person.user);
    const home = await homeOf(person.user, "Run your tools from here");
    await drainInbox(test);
    await test.service.context.db.kysely.deleteFrom("chat_inbox").execute();
    if (fault !== undefined) slack.faults.push({ method: "views.publish", times: 1, ...fault });
    const how = fault === undefined ? { hash: "1.OTHER" } : {};
    await openHome(slack, team, person.user, how);
    await vi.waitUntil(() => team.homes.get(person.user)?.hash !== home.hash, soon);
    expect(team.homes.get(person.user)).toMatchObject({ type: "home", blocks: home["blocks"] });
  });

  it("leaves no dead letter when the app has no Home", async () => {
    const person = await addLinked(test, slack, team, "member");
    slack.faults.push({ method: "views.publish", times: 1, error: "not_enabled" });
    await openHome(slack, team, person.user);
    await drainInbox(test);
    const path = `/workspaces/${test.workspaceId}/chat/dead-letters`;
    expect((await test.callAsOwner("GET", path)).body).toEqual([]);
  });
});
