import { run as runRecord, runSummary } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { proves } from "./src/proves.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

let server: Server;
let double: string;
let sleeper: string;
let relay: string;

beforeAll(async () => {
  server = await startServer({
    SANDBOX_MAX_PROCESSES: "3",
    SANDBOX_CHILD_PROCESSES: "3",
    RUN_CHILD_DEPTH: "3",
  });
  double = await server.makeTool("export default ({ n }) => ({ n: 2 * n });", {
    inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  });
  sleeper = await server.makeTool(
    "export default async ({ ms }) => { await new Promise((r) => setTimeout(r, ms)); return { ms }; }",
  );
  relay = await makeRelay();
});
afterAll(() => server?.stop());

function makeRelay(rest = {}): Promise<string> {
  return server.makeTool(
    `export default async ({ name, input }, ctx) => ({ output: await ctx.tools.run(name, input) });`,
    rest,
  );
}

const childrenOf = async (runId: string) => {
  const children = await server.api("GET /runs", { query: { parentRunId: runId } });
  return z.array(runSummary).parse(children);
};

async function startRun(tool: string, input: unknown): Promise<string> {
  const { runId } = await server.api("POST /run/{toolName}", {
    params: { toolName: tool },
    body: input,
    headers: { prefer: "respond-async" },
  });
  return runId;
}

describe("a tool that runs another tool", () => {
  test(
    "gets its output, and records both runs and their audit events",
    proves("tool.calls_tools", "tool.children"),
    async () => {
      const { body } = await server.run(relay, { name: double, input: { n: 21 } });
      expect(body.output).toEqual({ output: { n: 42 } });
      const [child, ...others] = await childrenOf(body.runId);
      expect(others).toEqual([]);
      expect(child).toMatchObject({
        toolName: double,
        parentRunId: body.runId,
        status: "completed",
      });
      const params = { runId: String(child?.runId) };
      const record = await server.api("GET /runs/{runId}", { params });
      expect(runRecord.parse(record)).toMatchObject({
        parentRunId: body.runId,
        input: { n: 21 },
      });
      const events = await server.api("GET /audit-events", { query: { target: params.runId } });
      expect(events).toMatchObject([
        { action: "run.create", outcome: "success", details: { parentRunId: body.runId } },
      ]);
    },
  );

  test(
    "fails with a tool_error that names the child and its problem",
    proves("tool.calls_tools"),
    async () => {
      const errors = [];
      for (const [name, input] of [
        ["no_such_tool_a1b2", {}],
        [double, { n: "x" }],
        [relay, { name: relay, input: {} }],
      ]) {
        const { body } = await server.run(relay, { name, input });
        expect(body).toMatchObject({ status: "failed", error: { code: "tool_error" } });
        errors.push(body.error.message);
      }
      expect(errors).toEqual([
        "no_such_tool_a1b2: No tool named `no_such_tool_a1b2` exists, or you don't have access to it.",
        expect.stringContaining(`${double}: Invalid input: \`/n\` `),
        expect.stringContaining(`${relay} → ${relay}`),
      ]);
    },
  );

  test("stops when its parent run has ended", proves("tool.children"), async () => {
    const impatient = await makeRelay({ timeoutMs: 1_500 });
    const runId = await startRun(impatient, { name: sleeper, input: { ms: 60_000 } });
    expect(await server.finished(runId)).toMatchObject({ error: { code: "timeout" } });
    expect(await childrenOf(runId)).toMatchObject([{ status: "cancelled" }]);
  });

  test(
    "finishes nested runs even with the minimum of slots",
    { ...proves("tool.no_deadlock"), tags: ["nightly"] },
    async () => {
      const deep = await makeRelay();
      const deeper = await makeRelay();
      const input = {
        name: deep,
        input: { name: deeper, input: { name: sleeper, input: { ms: 50 } } },
      };
      const runIds = await Promise.all(Array.from({ length: 10 }, () => startRun(relay, input)));
      const ends = await Promise.all(runIds.map((runId) => server.finished(runId)));
      expect(ends.map(({ status, error }) => error ?? status)).toEqual(ends.map(() => "completed"));
    },
  );
});

test(
  "ends a child run with its process, without recovery",
  { ...proves("tool.children"), tags: ["nightly"] },
  async () => {
    const repeatable = await makeRelay({ idempotent: true });
    const runId = await startRun(repeatable, { name: sleeper, input: { ms: 4_000 } });
    const [child] = await until("the child works", 30_000, async () => {
      const children = await childrenOf(runId);
      return children.length === 1 && children;
    });
    await server.end("SIGKILL");
    await server.startAgain();
    const first = await server.finished(String(child?.runId));
    expect(first).toMatchObject({ status: "failed", attempt: 1 });
    expect(["interrupted", "sandbox_lost"]).toContain(first.error.code);
    expect(await server.finished(runId)).toMatchObject({ status: "completed", attempt: 2 });
    const states = (await childrenOf(runId)).map(({ status }) => status);
    expect(states).toEqual(["completed", "failed"]);

    const orderly = await startRun(relay, { name: sleeper, input: { ms: 60_000 } });
    await until("the child works", 30_000, async () => (await childrenOf(orderly)).length === 1);
    await server.end("SIGTERM");
    await server.startAgain();
    expect(await server.finished(orderly)).toMatchObject({ error: { code: "interrupted" } });
    expect(await childrenOf(orderly)).toMatchObject([{ status: "cancelled" }]);
  },
);
