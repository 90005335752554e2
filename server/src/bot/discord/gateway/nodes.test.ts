import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { runStreamOnOneNode } from "#core/chat";
import type { Context } from "#core/context";
import { newId } from "#lib/ids";
import { drainInbox, soon } from "#testing/chat";
import { addLinkedMember, connectGuild } from "#testing/discord-chat";
import { startFakeDiscord } from "#testing/fake-discord";
import type { FakeDiscord, FakeGuild } from "#testing/fake-discord";
import { startTestService } from "#testing/service";
import { unusedModel } from "#testing/fake-model";
import type { TestService } from "#testing/service";
import { defaultPauses } from "./session-options.ts";
import { createGatewayStream } from "./start-gateway.ts";

let test: TestService;
let discord: FakeDiscord;
let guild: FakeGuild;
let user: string;
let tool: string;
let nodes: Node[] = [];

type Node = { stop(): Promise<void>; die(): void; hasLooked(): boolean };

const pauses = { ...defaultPauses, firstMs: 50, betweenSessionsMs: 50 };
const leaseOptions = { leaseMs: 1_500, renewEveryMs: 100, fenceMs: 1_000 };

/** A node that runs only the gateway stream. After `die`, it cannot reach the database. */
function addNode(): Node {
  let isOffline = false;
  let looks = 0;
  const db = new Proxy<Context["db"]>(test.service.context.db, {
    get: (target, name) => {
      if (isOffline) throw new Error("this node is offline");
      if (name === "kysely") looks += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  const context: Context = { ...test.service.context, nodeId: newId(), db };
  const stream = createGatewayStream(context, pauses);
  if (stream === undefined) throw new Error("Discord is not set up");
  const running = runStreamOnOneNode(
    context,
    { ...stream, name: "discord:test nodes" },
    leaseOptions,
  );
  const node = {
    stop: () => running.stop(),
    die: () => {
      isOffline = true;
    },
    hasLooked: () => looks > 3,
  };
  nodes.push(node);
  return node;
}

/** The problem that admins see. */
const problem = async () => {
  const path = `/workspaces/${test.workspaceId}/chat/platforms`;
  const { body } = await test.callAsOwner("GET", path);
  return (body as { platform: string; problem: string | null }[]).find(
    ({ platform }) => platform === "discord",
  )?.problem;
};
const answersIn = (channel: string) => guild.posts.filter((post) => post.channel === channel);
const logOf = (kind: string) => discord.gateway.log.filter((line) => line.startsWith(kind));
const connected = () => vi.waitUntil(() => discord.gateway.connected() === 1, soon);

describe.runIf(process.env["TEST_DIALECT"] === "postgres")("of several nodes", () => {
  beforeAll(async () => {
    discord = await startFakeDiscord();
    // The service itself answers messages, but has no connection to the gateway.
    discord.gateway.refusal = 4_004;
    test = await startTestService({ ...discord.settings, ...unusedModel });
    discord.appUrl = test.baseUrl;
    guild = await connectGuild(test, discord, "Gamers");
    ({ user } = await addLinkedMember(test, discord, guild));
    tool = await test.makeTool("export default async (input) => ({ got: input });");
    await vi.waitUntil(() => logOf("closed 4004").length === 1, soon);
    await vi.waitUntil(async () => (await problem())?.includes("DISCORD_BOT_TOKEN"), soon);
    discord.gateway.refusal = undefined;
    discord.gateway.log.length = 0;
  });
  afterEach(async () => {
    for (const node of nodes) await node.stop();
    nodes = [];
    discord.gateway.forget();
    discord.gateway.log.length = 0;
    await test.service.context.db.kysely
      .deleteFrom("chat_streams")
      .where("name", "=", "discord:test nodes")
      .execute();
  });
  afterAll(async () => {
    await test.stop();
    await discord.close();
  });

  it("resumes the session on another node when its node dies, without duplicate answers", async () => {
    const first = addNode();
    await connected();
    const second = addNode();
    await vi.waitUntil(() => second.hasLooked(), soon);
    expect(logOf("identify")).toHaveLength(1);
    expect(discord.gateway.connected()).toBe(1);
    const before = discord.mention(guild, user, `run ${tool} {"before": 1}`);
    await vi.waitUntil(() => answersIn(before.id).length === 1, soon);
    first.die();
    const after = discord.mention(guild, user, `run ${tool} {"after": 1}`);
    await vi.waitUntil(() => answersIn(after.id).length === 1, soon);
    await drainInbox(test);
    expect([answersIn(before.id).length, answersIn(after.id).length]).toEqual([1, 1]);
    expect(logOf("identify")).toHaveLength(1);
    expect(logOf("resume").length).toBeGreaterThan(0);
    expect(discord.gateway.connected()).toBe(1);
  });

  it("resumes the session on another node immediately when its node stops", async () => {
    const first = addNode();
    await connected();
    const second = addNode();
    await vi.waitUntil(() => second.hasLooked(), soon);
    await first.stop();
    const asked = discord.mention(guild, user, `run ${tool} {"stopped": 1}`);
    await vi.waitUntil(() => answersIn(asked.id).length === 1, soon);
    expect(logOf("identify")).toHaveLength(1);
  });
});
