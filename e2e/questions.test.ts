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

beforeAll(async () => {
  server = await startServer();
  cli = await createCli(server);
  asker = await server.makeTool(`export default async (input, ctx) => {
    const schema = { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } }, required: ["city"] };
    return ctx.ask({ message: "Where \u001b[2Jto?", schema });
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
  test("says where to answer without a terminal", async () => {
    const { result } = cli.start(["run", asker]);
    const asking = await until("the run asks", 20_000, async () => {
      const { body } = await server.call("GET", `/runs?toolName=${asker}&status=running`);
      return body.find((run: { question?: object }) => run.question !== undefined);
    });
    const answer = { questionId: asking.question.id, action: "decline" };
    await server.call("POST", `/runs/${asking.runId}/answers`, answer);
    const { code, stdout, stderr } = await result;
    expect(code).toBe(0);
    expect(stdout).toContain("decline");
    expect(stderr).toContain(`${server.baseUrl}/runs/${asking.runId}`);
    expect(stderr).not.toContain("\u001b[2J");
  });

  test("asks on a terminal", async () => {
    const command = `stty cols 120 rows 40; ${process.execPath} ${bundledCli} run ${asker}`;
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
    const typeAfter = async (text: string, typed: string) => {
      await until(`"${text}" is shown`, 20_000, () => shown.includes(text));
      child.stdin?.write(typed);
    };
    await typeAfter("Answer the tool?", "y");
    await typeAfter("city", "Oslo\r");
    await typeAfter("days", "3\r");
    await new Promise((done) => child.once("close", done));
    expect(shown).toContain("accept");
    expect(shown).toMatch(/days\D+3/);
    expect(shown).toContain("Oslo");
  });
});
