import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFakeModel } from "../server/testing/fake-model.ts";
import type { FakeModel } from "../server/testing/fake-model.ts";
import { addFile, startFakeSlack } from "../server/testing/fake-slack.ts";
import type { FakeSlack } from "../server/testing/fake-slack.ts";
import { createRpc } from "./src/mcp-http.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { answersIn, connectTeam } from "./src/slack.ts";
import type { ConnectedTeam } from "./src/slack.ts";
import { until } from "./src/until.ts";

let server: Server;
let slack: FakeSlack;
let model: FakeModel;
let connected: ConnectedTeam;
let add: string;
/** The output of all processes. */
const printed: string[] = [];

beforeAll(async () => {
  [slack, model] = await Promise.all([startFakeSlack(), startFakeModel()]);
  server = await startServer({
    ...slack.settings,
    ...model.settings,
    CHAT_MODEL_TIMEOUT_MS: "20000",
    RUN_WAIT_MS: "5000",
    LOG_LEVEL: "trace",
  });
  connected = await connectTeam(server, slack);
  add = await server.makeTool("export default async ({ a, b }) => ({ sum: a + b });", {
    title: "Add numbers",
    description: "Adds two numbers.",
  });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([slack.close(), model.close()]);
});

const answer = (thread: string, index = 0) =>
  until("the bot has answered", 60_000, () => answersIn(connected.team, thread)[index]);

const execute = (tool: string, args: object) => ({
  name: "service_execute_tool",
  args: { tool_name: tool, arguments: args },
});

async function kill(): Promise<void> {
  const { stdout, stderr } = await server.end("SIGKILL");
  printed.push(stdout, stderr);
  await server.startAgain();
  slack.appUrl = server.baseUrl;
}

const runsOf = async (tool: string) =>
  (await server.call("GET", `/runs?toolName=${tool}`)).body as { status: string; via: string }[];

describe("a user who mentions the bot", () => {
  test(
    "sees an acknowledgement, and the result of the selected tool",
    proves("bot.mention"),
    async () => {
      const { team, user } = connected;
      model.script = (_, step) =>
        [
          { calls: [{ name: "service_search_tools", args: { queries: ["add numbers"] } }] },
          { calls: [execute(add, { a: 20, b: 22 })] },
        ][step] ?? { text: "The sum is 42." };
      const { ts } = await slack.mention(team, user, "what is 20 and 22?");
      expect((await answer(ts)).text).toContain("The sum is 42.");
      await until("it was noticed", 30_000, () =>
        team.messages.find((one) => one.ts === ts)?.reactions.includes("white_check_mark"),
      );
      expect(await runsOf(add)).toMatchObject([{ status: "completed", via: "bot" }]);
    },
  );

  test(
    "gets an answer that uses earlier messages of the thread",
    proves("bot.thread_context"),
    async () => {
      const { team, user } = connected;
      model.script = () => ({ text: "Which numbers?" });
      const { ts } = await slack.mention(team, user, "add the two figures of the invoice");
      await answer(ts);
      const channel = [...team.channels][0];
      const reply = { type: "message", thread_ts: ts, ts: team.nextTs(), channel, user };
      await slack.deliver(team, { ...reply, text: "they are 70 and 7" });
      model.script = ({ body }) => ({
        text: /70 and 7/.test(JSON.stringify(body.messages)) ? "I see 70 and 7." : "Which?",
      });
      await slack.mention(team, user, "now you know them", { thread: ts });
      expect((await answer(ts, 1)).text).toContain("I see 70 and 7.");
    },
  );
});

describe("a tool run by the bot, over REST or over MCP", () => {
  test(
    "uses the same sandbox, credentials, logs and audit log",
    proves("engine.shared"),
    async () => {
      const { team, user } = connected;
      const credential = {
        name: "SERVICE_KEY",
        value: "twelve chars",
        owner: "workspace",
        hosts: ["api.example.com"],
        exposable: true,
      };
      expectStatus(201, await server.callAsOwner("POST", "/credentials", credential));
      const tool = await server.makeTool(
        "export default async (_, ctx) => { console.log('asked'); return { length: ctx.credentials.SERVICE_KEY.length }; }",
        { credentials: [{ name: "SERVICE_KEY", hosts: ["api.example.com"], expose: true }] },
      );
      expectStatus(200, await server.run(tool));
      const rpc = createRpc(() => server.baseUrl, server.apiKey);
      await rpc.call("service_execute_tool", { tool_name: tool, arguments: {} });
      model.script = (_, step) =>
        step === 0 ? { calls: [execute(tool, {})] } : { text: "It has twelve." };
      const { ts } = await slack.mention(team, user, "how long is the key?");
      await answer(ts);
      const runs = expectStatus(200, await server.call("GET", `/runs?toolName=${tool}`)).body as {
        runId: string;
        via: string;
        output: object;
      }[];
      expect(runs.map(({ via }) => via).toSorted()).toEqual(["bot", "mcp", "rest"]);
      for (const { runId, output } of runs) {
        expect(output).toEqual({ length: 12 });
        const { body } = await server.call("GET", `/runs/${runId}/logs`);
        expect(body).toMatchObject([{ message: "asked" }]);
        const events = await server.call("GET", `/audit-events?target=${runId}`);
        expect(events.body).toMatchObject([{ action: "run.create", outcome: "success" }]);
      }
    },
  );
});

describe("the bot after its process was killed", () => {
  let reader: string;
  let before: number;
  const threads = { file: "", model: "", long: "" };

  beforeAll(async () => {
    const { team, user } = connected;
    const slow = await server.makeTool(
      "export default async () => { await new Promise((done) => setTimeout(done, 300_000)); };",
      { title: "Sleep long" },
    );
    threads.long = (await slack.mention(team, user, `run ${slow}`)).ts;
    await until("the run is announced", 30_000, () =>
      /I'll post the result here/.test(JSON.stringify(answersIn(team, threads.long))),
    );
    // The bot stores the promise after posting it, and handles the next message of the thread only after that.
    const thread = threads.long;
    const next = await slack.mention(team, user, `run ${add} {"a": 1, "b": 1}`, { thread });
    await until("the end is promised", 30_000, () =>
      answersIn(team, thread).some((one) => one.ts > next.ts),
    );

    before = (await runsOf(add)).length;
    model.requests = [];
    model.script = (_, step) =>
      step === 0 ? { calls: [execute(add, { a: 40_000, b: 17 })] } : { hangs: true };
    threads.model = (await slack.mention(team, user, "add two numbers of your choice")).ts;
    await until("the model is asked again", 30_000, () => model.requests.length > 1);
    model.script = (_, step) =>
      step === 0 ? { calls: [execute(add, { a: 500, b: 5 })] } : { text: "505" };

    reader = await server.makeTool(
      "export default async ({ file }, ctx) => ({ text: await (await ctx.files.open(file)).text() });",
      {
        fileFields: ["file"],
        inputSchema: { type: "object", properties: { file: { type: "string" } } },
      },
    );
    const files = [addFile(team, { text: "reeds" })];
    const fault = { method: "chat.postMessage", times: 1, delayMs: 8_000, error: "fatal_error" };
    slack.faults.push(fault);
    threads.file = (await slack.mention(team, user, `run ${reader}`, { rest: { files } })).ts;
    await until("the tool has run, and its answer is on its way", 30_000, () => fault.times === 0);
    await kill();
  }, 120_000);

  test("continues a run with an attached file as the same run", async () => {
    expect(JSON.stringify((await answer(threads.file)).blocks)).toContain("reeds");
    expect(await runsOf(reader)).toMatchObject([{ status: "completed" }]);
  });

  test("runs no tool twice when the model then requests another call", async () => {
    const answerText = JSON.stringify((await answer(threads.model)).blocks);
    expect(answerText).toContain("I was interrupted");
    expect(answerText).toContain("40017");
    expect(await runsOf(add)).toHaveLength(before + 1);
  });

  test("posts the promised result of a run exactly once", async () => {
    const { team, user } = connected;
    const ends = () =>
      answersIn(team, threads.long).filter(({ blocks }) =>
        / failed: /.test(JSON.stringify(blocks)),
      );
    const end = await until("the end is posted", 90_000, () => ends()[0]);
    expect(JSON.stringify(end.blocks)).toContain(user);
    await until("the message of the run says so, too", 30_000, () =>
      JSON.stringify(answersIn(team, threads.long)[0]?.blocks).includes("finished; result below"),
    );
    expect(ends()).toHaveLength(1);
  });
});

test("logs neither the model's key nor message texts, at any log level", async () => {
  model.script = () => ({ status: 500 });
  const { ts } = await slack.mention(connected.team, connected.user, "unutterable-request");
  await answer(ts);
  const { stdout, stderr } = await server.end("SIGTERM");
  const text = [...printed, stdout, stderr].join("\n");
  expect(text).toContain("the language model did not respond");
  for (const secret of [
    model.settings["CHAT_MODEL_API_KEY"],
    connected.team.token,
    "unutterable-request",
    "they are 70 and 7",
    "secret of the model",
  ]) {
    expect(text.includes(secret ?? "")).toBe(false);
  }
});
