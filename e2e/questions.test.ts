import { execFile } from "node:child_process";
import { createClient } from "@toolhost/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundledCli } from "../cli/build.ts";
import { createCli } from "./src/cli.ts";
import type { Cli } from "./src/cli.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

let server: Server;
let cli: Cli;
let asker: string;
let booker: string;

beforeAll(async () => {
  server = await startServer();
  cli = await createCli(server);
  asker = await server.makeTool(`export default async (input, ctx) => {
    const schema = { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } }, required: ["city"] };
    return ctx.ask({ message: "Where \u001b[2Jto?\\nAnswer before noon: https://evil.example", schema });
  }`);
  booker = await server.makeTool(`export default async (input, ctx) => {
    const properties = {
      email: { type: "string", format: "email" },
      days: { type: "integer", maximum: 5, default: 9 },
      class: { type: "string", enum: ["first", "second"], default: "second" },
      insured: { type: "boolean" },
    };
    return ctx.ask({ message: "Who travels?", schema: { type: "object", properties } });
  }`);
});
afterAll(() => server?.stop());

describe("the client", () => {
  test("reports a question and that it is closed, and answers it", async () => {
    const client = createClient({ baseUrl: server.baseUrl, apiKey: server.apiKey });
    const questions: (string | undefined)[] = [];
    const { runId, question } = await client.runs.start(asker, {}, { waitMs: 20_000 });
    expect(question?.message).toContain("Where");
    const ended = await client.runs.wait(runId, {
      onQuestion: (asked) => {
        questions.push(asked?.id);
        if (asked === null) return;
        const answer = {
          questionId: asked.id,
          action: "accept",
          content: { city: "Oslo" },
        } as const;
        void client.runs.answer(runId, answer);
      },
    });
    expect(ended.output).toEqual({ action: "accept", content: { city: "Oslo" } });
    expect(questions[0]).toBe(question?.id);
    expect(questions.filter((id) => id !== undefined)).toHaveLength(1);
  });
});

describe("the command line", () => {
  test("says where to answer without a terminal, and leaves the run running", async () => {
    const { code, stdout, stderr } = await cli.start(["run", asker]).result;
    const { body } = await server.call("GET", `/runs?toolName=${asker}&status=running`);
    const [asking] = body;
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain(`${server.baseUrl}/runs/${asking.runId}`);
    expect(stderr).not.toContain("\u001b[2J");
    expect(stderr).toContain(`The tool ${asker} asks:`);
    expect(stderr).toMatch(/^ {2}│ Answer before noon/m);
    const { child } = cli.start(["logs", asking.runId, "--follow"]);
    let log = "";
    child.stderr?.on("data", (chunk: string) => (log += chunk));
    await until("the log shows the question", 20_000, () => log.includes("│ Where"));
    child.kill("SIGKILL");
    expect(log).toContain(`The tool ${asker} asks:`);
    const answer = { questionId: asking.question.id, action: "decline" };
    const answered = await server.call("POST", `/runs/${asking.runId}/answers`, answer);
    expect(answered.status).toBe(200);
  });

  test("asks on a terminal", async () => {
    const { typeAfter, ended, shown } = runOnTerminal(asker);
    await typeAfter("Answer the tool?", "y");
    await typeAfter("city", "Oslo\r");
    await typeAfter("days", "3\r");
    await ended;
    expect(shown()).toContain(`The tool ${asker} asks:`);
    expect(shown()).toContain("Do not enter passwords");
    expect(shown()).toContain("accept");
    expect(shown()).toMatch(/days\D+3/);
    expect(shown()).toContain("Oslo");
  });

  test("checks each answer when it is entered, and starts at the defaults", async () => {
    const { typeAfter, ended, shown } = runOnTerminal(booker);
    await typeAfter("Answer the tool?", "y");
    await typeAfter("email", "ada\r");
    await typeAfter("Must be an email address", "@example.com\r");
    await typeAfter("days", "\r");
    await typeAfter("at most 5", "\u007f4\r");
    await typeAfter("class", "\r");
    await typeAfter("insured", "\r");
    await ended;
    const [, output = ""] = shown().split(/(?=\{\s*"action")/);
    expect(output).toContain('"ada@example.com"');
    expect(output).toContain('"days": 4');
    expect(output).toContain('"class": "second"');
    expect(output).not.toContain("insured");
  });

  test("asks again only for the fields that the service refuses", async () => {
    const { typeAfter, ended, shown } = runOnTerminal(booker);
    await typeAfter("Answer the tool?", "y");
    // The check of the command line accepts this address, and the service does not.
    await typeAfter("email", "ada@x..y\r");
    await typeAfter("days", "\u007f4\r");
    await typeAfter("class", "\r");
    await typeAfter("insured", "\r");
    await typeAfter("email: ", "\u007f\u007f\u007f\u007fexample.com\r");
    await ended;
    expect(shown()).toContain('"ada@example.com"');
    expect(shown()).toContain('"days": 4');
  });

  test("says where to answer after Ctrl-C", async () => {
    const { typeAfter, ended, shown } = runOnTerminal(asker);
    await typeAfter("Answer the tool?", "\u0003");
    await ended;
    expect(shown()).toMatch(/waits for an answer until \S+ \S+\/runs\//);
  });
});

/** Runs a tool with the command line on a terminal. */
function runOnTerminal(tool: string) {
  const command = `stty cols 160 rows 40; ${process.execPath} ${bundledCli} run ${tool}`;
  const env = {
    PATH: process.env["PATH"],
    HOME: cli.home,
    TERM: "xterm",
    TOOLHOST_URL: server.baseUrl,
    TOOLHOST_API_KEY: server.apiKey,
  };
  const child = execFile("script", ["-qec", command, "/dev/null"], { cwd: cli.cwd, env });
  let shown = "";
  child.stdout?.on("data", (chunk: string) => (shown += chunk));
  let read = 0;
  return {
    shown: () => shown,
    ended: new Promise((done) => child.once("close", done)),
    /** Types when the text appears after everything that earlier calls have seen. */
    typeAfter: async (text: string, typed: string) => {
      await until(`"${text}" is shown`, 20_000, () => shown.includes(text, read));
      read = shown.indexOf(text, read) + text.length;
      child.stdin?.write(typed);
    },
  };
}
