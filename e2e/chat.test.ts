import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFakeSlack } from "../server/src/testing/fake-slack.ts";
import type { FakeSlack } from "../server/src/testing/fake-slack.ts";
import { proves } from "./src/proves.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { answersIn, connectTeam } from "./src/slack.ts";
import type { ConnectedTeam } from "./src/slack.ts";
import { until } from "./src/until.ts";

let server: Server;
let slack: FakeSlack;
let connected: ConnectedTeam;
let tool: string;
/** All that any of the processes wrote. */
const printed: string[] = [];

beforeAll(async () => {
  slack = await startFakeSlack();
  server = await startServer({ ...slack.settings, LOG_LEVEL: "trace" });
  connected = await connectTeam(server, slack);
  tool = await server.makeTool("export default async (input) => ({ got: input });");
});
afterAll(async () => {
  await server.stop();
  await slack.close();
});

/** Starts the service again after it ended, where Slack finds it. */
async function startAgain(): Promise<void> {
  await server.startAgain();
  slack.appUrl = server.baseUrl;
}

async function kill(): Promise<void> {
  const { stdout, stderr } = await server.end("SIGKILL");
  printed.push(stdout, stderr);
}

const hasRun = (mark: string) =>
  until("the tool has run", 30_000, async () => {
    const { body } = await server.call("GET", "/runs?limit=5");
    const ids = (body as { runId: string; status: string }[]).filter(
      ({ status }) => status === "completed",
    );
    const runs = await Promise.all(ids.map(({ runId }) => server.call("GET", `/runs/${runId}`)));
    const found = runs.filter(({ body: run }) => JSON.stringify(run.input).includes(mark));
    return found.length > 0 && found.length;
  });

/** How often the bot has answered in a thread, once nothing more is to come. */
async function countAnswers(thread: string): Promise<number> {
  const { team, user } = connected;
  await until("there is an answer", 60_000, () => answersIn(team, thread).length > 0);
  // What comes after it in the thread is answered after all that is to come.
  const { ts } = await slack.mention(team, user, "and then", { thread });
  await until("what came later is answered", 60_000, () =>
    answersIn(team, thread).some((one) => one.ts > ts),
  );
  return answersIn(team, thread).filter((one) => one.ts < ts).length;
}

describe("a message that Slack was told is taken", () => {
  test("is answered once although the process died before it could", async () => {
    const { team, user } = connected;
    slack.faults.push({
      method: "chat.postMessage",
      times: 1,
      delayMs: 8_000,
      error: "fatal_error",
    });
    const { status, ts } = await slack.mention(team, user, `run ${tool} {"mark": "before"}`);
    expect(status).toBe(200);
    await hasRun("before");
    await kill();
    await startAgain();
    expect(await countAnswers(ts)).toBe(1);
    expect(await hasRun("before")).toBe(1);
  });

  test("is answered once although the process died before it could note that it had", async () => {
    const { team, user } = connected;
    slack.faults.push({ method: "chat.postMessage", times: 1, delayMs: 8_000, isDone: true });
    const { ts } = await slack.mention(team, user, `run ${tool} {"mark": "after"}`);
    await until("the answer is posted", 30_000, () => answersIn(team, ts).length > 0);
    await kill();
    await startAgain();
    expect(await countAnswers(ts)).toBe(1);
    expect(await hasRun("after")).toBe(1);
  });

  test("is answered once although the service was stopped in between", async () => {
    const { team, user } = connected;
    const { ts } = await slack.mention(team, user, `run ${tool} {"mark": "stop"}`);
    const { code, stdout, stderr } = await server.end("SIGTERM");
    printed.push(stdout, stderr);
    expect(code).toBe(0);
    await startAgain();
    expect(await countAnswers(ts)).toBe(1);
  });

  test("is one, however often it is delivered", proves("bot.deduplication"), async () => {
    const { team, user } = connected;
    const eventId = "Ev0REDELIVERED";
    const said = `run ${tool} {"mark": "again"}`;
    const { ts, event } = await slack.mention(team, user, said, { eventId });
    const again = Array.from({ length: 4 }, () => slack.deliver(team, event, { eventId }));
    for (const { status } of await Promise.all(again)) expect(status).toBe(200);
    expect(await countAnswers(ts)).toBe(1);
    expect(await hasRun("again")).toBe(1);
  });
});

test("no secret of a chat gets into the log, whatever its level", async () => {
  const { stdout, stderr } = await server.end("SIGTERM");
  const text = [...printed, stdout, stderr].join("\n");
  await startAgain();
  const token = /token=([\w-]+)/.exec(JSON.stringify(connected.team.ephemerals))?.[1];
  const { SLACK_CLIENT_SECRET, SLACK_SIGNING_SECRET } = slack.settings;
  for (const secret of [connected.team.token, token, SLACK_CLIENT_SECRET, SLACK_SIGNING_SECRET]) {
    expect(secret).toMatch(/.{10}/);
    expect(text.includes(secret ?? "")).toBe(false);
  }
});
