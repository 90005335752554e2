import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  addLinked,
  answersIn,
  connectTeam,
  countInbox,
  drainInbox,
  inboxOf,
  soon,
} from "#testing/chat";
import { press, submit, viewOf, wordsOf } from "#testing/chat-press";
import { startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { refreshSockets } from "#testing/fake-slack-socket";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { shownTo } from "#testing/slack-surfaces";

let test: TestService;
let slack: FakeSlack;
let team: FakeTeam;
let user: string;
let tool: string;

beforeAll(async () => {
  slack = await startFakeSlack();
  slack.socket.isOn = true;
  const { appToken: SLACK_APP_TOKEN } = slack.socket;
  // Slack cannot reach the server: `appUrl` is not set.
  test = await startTestService({ ...slack.settings, SLACK_APP_TOKEN });
  team = slack.addTeam("Engineering");
  await connectTeam(test, team);
  ({ user } = await addLinked(test, slack, team, "member"));
  tool = await test.makeTool("export default async (input) => ({ got: input });", {
    title: "Weigh quokka",
    description: "Weighs a quokka.",
    inputSchema: {
      type: "object",
      properties: { grams: { type: "integer", maximum: 5_000 } },
      required: ["grams"],
    },
  });
});
afterAll(async () => {
  await test.stop();
  await slack.close();
});

const answerTo = (thread: string) => vi.waitUntil(() => answersIn(team, thread)[0], soon);
const problem = async () => {
  const path = `/workspaces/${test.workspaceId}/chat/platforms`;
  const { body } = await test.callAsOwner("GET", path);
  const platforms = body as { platform: string; problem: string | null }[];
  return platforms.find(({ platform }) => platform === "slack")?.problem;
};
/** Ends the connections, and waits for the next one. */
const reconnectAfter = async (work: () => void) => {
  const { opened } = slack.socket;
  work();
  await vi.waitUntil(() => slack.socket.opened > opened, soon);
};

describe("a Slack app in Socket Mode", () => {
  it("has a manifest that keeps Socket Mode on, unless another mode is requested", async () => {
    const read = async (query: string) =>
      (await fetch(`${test.baseUrl}/bot/slack/manifest${query}`)).json();
    expect(await read("")).toMatchObject({ settings: { socket_mode_enabled: true } });
    expect(await read("?mode=webhook")).toMatchObject({
      settings: { socket_mode_enabled: false },
    });
  });

  it("answers a mention, a press and a form", async () => {
    const asked = await slack.mention(team, user, "weigh quokka");
    const offer = await answerTo(asked.ts);
    const trigger = await press(slack, team, { user, message: offer, label: "Enter details" });
    const view = await vi.waitUntil(() => viewOf(team, trigger), soon);
    const send = (value: string) =>
      submit(slack, team, { user, view, values: { grams: { type: "number_input", value } } });
    expect((await send("9000")).errors).toHaveProperty("field:grams");
    expect(await send("3000")).toEqual({ errors: {}, notice: undefined });
    const result = await vi.waitUntil(() => answersIn(team, asked.ts)[1], soon);
    expect(wordsOf(result)).toContain("3000");
  });

  it("answers a slash command for its author", async () => {
    const count = shownTo(team, user).length;
    const { text } = await slack.command(team, user, "help");
    expect(JSON.parse(text)).toMatchObject({ response_type: "ephemeral" });
    const help = await vi.waitUntil(() => shownTo(team, user).slice(count)[0], soon);
    expect(wordsOf(help)).toContain("Tell me what you need");
  });

  it("answers once when the acknowledgement of an event is lost", async () => {
    slack.socket.lostAcknowledgements = 1;
    const before = await countInbox(test);
    const asked = await slack.mention(team, user, `run ${tool} {"grams": 1}`);
    expect(asked.status).toBe(200);
    await drainInbox(test);
    expect(answersIn(team, asked.ts)).toHaveLength(1);
    expect((await countInbox(test)) - before).toBe(1);
  });

  it("opens another connection when Slack refreshes one", async () => {
    await reconnectAfter(() => refreshSockets(slack.socket));
    expect(await inboxOf(test, () => slack.mention(team, user, "help"))).toBe(1);
    await drainInbox(test);
  });

  it("opens another connection when one is lost", async () => {
    await reconnectAfter(() => {
      for (const connection of slack.socket.connections) connection.terminate();
    });
    expect(await inboxOf(test, () => slack.mention(team, user, "help"))).toBe(1);
    await drainInbox(test);
  });

  it("reports for admins why Slack refuses the connection, until it no longer does", async () => {
    slack.socket.refusal = "invalid_auth";
    refreshSockets(slack.socket);
    await vi.waitUntil(async () => (await problem())?.includes("invalid_auth"), soon);
    expect(await problem()).toContain("SLACK_APP_TOKEN");
    await reconnectAfter(() => {
      slack.socket.refusal = undefined;
    });
    await vi.waitUntil(async () => (await problem()) === null, soon);
  });

  it("leaves no connection open whose start could not be stored", async () => {
    const { kysely } = test.service.context.db;
    slack.socket.refusal = "invalid_auth";
    refreshSockets(slack.socket);
    await vi.waitUntil(async () => (await problem()) !== null, soon);
    await kysely.schema.alterTable("chat_streams").renameColumn("problem", "kept").execute();
    await reconnectAfter(() => {
      slack.socket.refusal = undefined;
    });
    await reconnectAfter(() => undefined);
    expect(slack.socket.connections.size).toBeLessThanOrEqual(1);
    await kysely.schema.alterTable("chat_streams").renameColumn("kept", "problem").execute();
    await vi.waitUntil(async () => (await problem()) === null, soon);
  });
});
