import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unusedModel } from "../server/testing/fake-model.ts";
import { startFakeSlack } from "../server/testing/fake-slack.ts";
import type { FakeSlack } from "../server/testing/fake-slack.ts";
import { dialect } from "./src/database.ts";
import { proves } from "./src/proves.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService } from "./src/service-process.ts";
import { press, submit, viewOf } from "../server/testing/chat-press.ts";
import { answersIn, connectTeam } from "./src/slack.ts";
import type { ConnectedTeam } from "./src/slack.ts";
import { until } from "./src/until.ts";

let server: Server;
let slack: FakeSlack;
let connected: ConnectedTeam;
let tool: string;
/** The output of all processes. */
const printed: string[] = [];

beforeAll(async () => {
  slack = await startFakeSlack();
  server = await startServer({ ...slack.settings, ...unusedModel, LOG_LEVEL: "trace" });
  connected = await connectTeam(server, slack);
  tool = await server.makeTool("export default async (input) => ({ got: input });");
});
afterAll(async () => {
  await server.stop();
  await slack.close();
});

/** Restarts the service after it exited, at the address that Slack calls. */
async function startAgain(): Promise<void> {
  await server.startAgain();
  slack.appUrl = server.baseUrl;
}

let kills = 0;

/**
 * Kills the service right after `lastStep`. On PostgreSQL, another running node takes over its work; with an embedded
 * database, the service is restarted.
 */
async function kill<T>(lastStep: () => Promise<T>): Promise<T> {
  const victim = server.process;
  if (dialect === "postgres") {
    const dataDir = join(server.workDir, `node-${kills++}`);
    await mkdir(dataDir, { mode: 0o711 });
    await copyFile(join(server.dataDir, "encryption.key"), join(dataDir, "encryption.key"));
    await server.startAgain({ DATA_DIR: dataDir });
  }
  const sent = await lastStep();
  const { stdout, stderr } = await endService(victim, "SIGKILL");
  printed.push(stdout, stderr);
  // The faults were meant for the killed process only.
  slack.faults.length = 0;
  if (dialect !== "postgres") await server.startAgain();
  slack.appUrl = server.baseUrl;
  return sent;
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

/** Counts the bot's answers in a thread after it has handled every message there. */
async function countAnswers(thread: string): Promise<number> {
  const { team, user } = connected;
  await until("there is an answer", 60_000, () => answersIn(team, thread).length > 0);
  // The bot handles a thread's messages in order, so its answer to a new one follows all others.
  const { ts } = await slack.mention(team, user, "and then", { thread });
  await until("what came later is answered", 60_000, () =>
    answersIn(team, thread).some((one) => one.ts > ts),
  );
  return answersIn(team, thread).filter((one) => one.ts < ts).length;
}

describe("an acknowledged message whose process is killed", () => {
  const threads = { answered: "", unanswered: "", untouched: "" };
  const expectOnce = async (thread: string, mark: string) => {
    expect(await countAnswers(thread)).toBe(1);
    expect(await hasRun(mark)).toBe(1);
  };

  beforeAll(async () => {
    const { team, user } = connected;
    const mention = async (mark: string) => {
      const sent = await slack.mention(team, user, `run ${tool} {"mark": "${mark}"}`);
      expect(sent.status).toBe(200);
      return sent.ts;
    };
    const post = { method: "chat.postMessage", times: 1, delayMs: 8_000 };
    await kill(async () => {
      slack.faults.push({ ...post, isDone: true });
      threads.answered = await mention("answered");
      await until("the answer is posted", 30_000, () => answersIn(team, threads.answered)[0]);
      const fault = { ...post, error: "fatal_error" };
      slack.faults.push(fault);
      threads.unanswered = await mention("run");
      await hasRun("run");
      await until("the answer is on its way", 30_000, () => fault.times === 0);
      threads.untouched = await mention("taken");
    });
  }, 120_000);

  test("is answered once if the process is killed right after the acknowledgement", () =>
    expectOnce(threads.untouched, "taken"));
  test("is answered once if the process is killed after the tool has run", () =>
    expectOnce(threads.unanswered, "run"));
  test("is answered once if the process is killed before it records the answer", () =>
    expectOnce(threads.answered, "answered"));
});

describe("an acknowledged message", () => {
  test(
    "is answered once if the service is restarted before the answer",
    { tags: ["nightly"] },
    async () => {
      const { team, user } = connected;
      const { ts } = await slack.mention(team, user, `run ${tool} {"mark": "stop"}`);
      const { code, stdout, stderr } = await server.end("SIGTERM");
      printed.push(stdout, stderr);
      expect(code).toBe(0);
      await startAgain();
      expect(await countAnswers(ts)).toBe(1);
    },
  );

  test("is handled once if it is delivered repeatedly", proves("bot.deduplication"), async () => {
    const { team, user } = connected;
    const eventId = "Ev0REDELIVERED";
    const sent = `run ${tool} {"mark": "again"}`;
    const { ts, event } = await slack.mention(team, user, sent, { eventId });
    const again = Array.from({ length: 4 }, () => slack.deliver(team, event, { eventId }));
    for (const { status } of await Promise.all(again)) expect(status).toBe(200);
    expect(await countAnswers(ts)).toBe(1);
    expect(await hasRun("again")).toBe(1);
  });
});

test("logs no secret of a chat, at any log level", { tags: ["nightly"] }, async () => {
  const { team, user } = connected;
  // Buttons and forms carry secrets as well, so the test presses a button and submits a form.
  const secretive = await server.makeTool("export default async () => ({ ok: true });", {
    inputSchema: {
      type: "object",
      properties: { pin: { type: "string", format: "password" } },
      required: ["pin"],
    },
  });
  const { ts } = await slack.mention(team, user, `run ${secretive}`);
  const asked = await until("it asks", 30_000, () => answersIn(team, ts)[0]);
  const trigger = await press(slack, team, { user, message: asked, label: "Enter details" });
  const view = await until("the form is open", 30_000, () => viewOf(team, trigger));
  const pin = { type: "plain_text_input", value: "pin-of-the-test" };
  await submit(slack, team, { user, view, values: { pin } });
  await until("it has run", 30_000, () => answersIn(team, ts).length > 1);
  const { stdout, stderr } = await server.end("SIGTERM");
  const text = [...printed, stdout, stderr].join("\n");
  const token = /token=([\w-]+)/.exec(JSON.stringify(team.ephemerals))?.[1];
  const { SLACK_CLIENT_SECRET, SLACK_SIGNING_SECRET } = slack.settings;
  const redeemed = slack.calls.find(({ method }) => method === "oauth.v2.access")?.args["code"];
  const secrets = [team.token, token, SLACK_CLIENT_SECRET, SLACK_SIGNING_SECRET];
  for (const secret of [...secrets, redeemed, trigger, pin.value]) {
    expect(secret).toMatch(/.{10}/);
    expect(text.includes(secret ?? "")).toBe(false);
  }
  expect(text).not.toMatch(/[?&](?:state|ticket|code|token)=/);
});
