import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cookieAt } from "../server/testing/template.ts";
import { createDatabase, dialect } from "./src/database.ts";
import { expectProblem } from "./src/expect-problem.ts";
import { createCall } from "./src/http.ts";
import type { Call } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { startSecondNode } from "./src/second-node.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService, spawnService, whenReady } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";
import { until } from "./src/until.ts";

const sleeper = "export default ({ ms }) => new Promise((done) => setTimeout(done, ms, { ms }))";

describe.skipIf(dialect !== "postgres")("two nodes on one database", () => {
  let one: Server;
  let other: ReadyService;
  let callOther: Call;
  let callOtherAsOwner: Call;

  beforeAll(async () => {
    one = await startServer();
    other = await startSecondNode(one);
    const at = () => other.baseUrl;
    callOther = createCall(at, () => ({ authorization: `Bearer ${one.apiKey}` }));
    callOtherAsOwner = createCall(at, () => ({ cookie: cookieAt(one.cookie, at()), origin: at() }));
  });
  afterAll(async () => {
    if (other !== undefined) await endService(other, "SIGTERM");
    await one?.stop();
  });

  test(
    "finds another node's tool with the next call",
    proves("start.nodes", "tools.new_usable_immediately"),
    async () => {
      const first = await callOther("GET", "/skills/search?q=kaleidoscope");
      expect(first.body.results[0].matches).toEqual([]);
      const name = await one.makeTool("export default () => ({ version: 1 })", {
        title: "Kaleidoscope",
      });
      const found = await callOther("GET", "/skills/search?q=kaleidoscope");
      expect(found.body.results[0].matches[0].name).toBe(name);
      expect((await callOther("POST", `/run/${name}`, {})).body.output).toEqual({ version: 1 });
      const code = "export default () => ({ version: 2 })";
      const patch = { source: { language: "typescript", code }, title: "Periscope" };
      expectStatus(200, await one.call("PATCH", `/tools/${name}`, patch));
      expect((await callOther("POST", `/run/${name}`, {})).body.output).toEqual({ version: 2 });
      expectStatus(204, await callOther("DELETE", `/tools/${name}`));
      expectProblem(await one.run(name), "tool_not_found");
    },
  );

  test("delivers an answer that another node received, and its question", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } } };
    const code = `export default (input, ctx) => ctx.ask({ message: "Where?", schema: ${JSON.stringify(schema)} })`;
    const name = await one.makeTool(code);
    for (const [ask, answer] of [
      [one.call, callOther],
      [callOther, one.call],
    ] as const) {
      const { runId, question } = (await ask("POST", `/run/${name}`, {})).body;
      const seen = (await answer("GET", `/runs/${runId}`, undefined, { prefer: "wait=20" })).body;
      expect(seen).toMatchObject({ status: "running", question });
      const body = { questionId: question.id, action: "accept", content: { city: "Oslo" } };
      expectStatus(200, await answer("POST", `/runs/${runId}/answers`, body));
      expectProblem(await ask("POST", `/runs/${runId}/answers`, body), "question_closed");
      const ended = await answer("GET", `/runs/${runId}`, undefined, { prefer: "wait=20" });
      expect(ended.body.output).toEqual({ action: "accept", content: { city: "Oslo" } });
    }
  });

  test(
    "rejects a key that another node revoked",
    proves("start.nodes", "keys.revoked_alone"),
    async () => {
      const { id, key } = await one.createKey({ name: "Both", scopes: ["mcp:read"] });
      const callWithKey = createCall(
        () => other.baseUrl,
        () => ({ authorization: `Bearer ${key}` }),
      );
      expectStatus(200, await callWithKey("GET", "/tools"));
      expectStatus(204, await one.callAsOwner("DELETE", `/api-keys/${id}`));
      expectProblem(await callWithKey("GET", "/tools"), "unauthenticated");
      expectStatus(200, await callOtherAsOwner("GET", "/me"));
    },
  );

  test("shows runs of another node", proves("start.nodes", "run.record"), async () => {
    const name = await one.makeTool(sleeper);
    const { body } = await callOther("POST", `/run/${name}`, { ms: 1 });
    expect((await one.call("GET", `/runs/${body.runId}`)).body.output).toEqual({ ms: 1 });
  });

  test("cancels runs of another node", proves("start.nodes", "run.cancelled"), async () => {
    const name = await one.makeTool(sleeper);
    const { body } = await callOther("POST", `/run/${name}`, { ms: 60_000 }, { prefer: "wait=0" });
    expectStatus(200, await one.call("POST", `/runs/${body.runId}/cancel`));
    expect(await one.finished(body.runId)).toMatchObject({ status: "cancelled" });
  });

  test(
    "cancels running and queued runs of another node within a second",
    proves("start.nodes", "run.cancelled"),
    async () => {
      const name = await one.makeTool(sleeper);
      const startRun = async () => {
        const { body } = await callOther(
          "POST",
          `/run/${name}`,
          { ms: 60_000 },
          { prefer: "wait=0" },
        );
        return String(body.runId);
      };
      const working = await Promise.all(Array.from({ length: 16 }, startRun));
      const waiting = await startRun();
      expect((await one.call("GET", `/runs/${waiting}`)).body.queued).toBe(true);
      for (const runId of [waiting, working[0] ?? ""]) {
        const before = performance.now();
        const { body } = await one.call("POST", `/runs/${runId}/cancel`);
        expect(body.status).toBe("cancelled");
        // The promise to users, which is far above the usual time.
        expect(performance.now() - before).toBeLessThan(1_000);
      }
      await Promise.all(working.slice(1).map((id) => one.call("POST", `/runs/${id}/cancel`)));
    },
  );

  test(
    "honors another node's Idempotency-Keys and runs once",
    proves("start.nodes", "idempotency.replay", "idempotency.runs_once"),
    async () => {
      const name = await one.makeTool("export default () => ({ rolled: Math.random() })");
      const headers = { "idempotency-key": randomUUID() };
      const first = await one.call("POST", `/run/${name}`, {}, headers);
      const again = await callOther("POST", `/run/${name}`, {}, headers);
      expect([again.text, again.headers.get("idempotent-replay")]).toEqual([first.text, "true"]);
      for (let round = 0; round < 10; round++) {
        const key = { "idempotency-key": randomUUID() };
        const both = await Promise.all(
          [one.call, callOther].map((call) => call("POST", `/run/${name}`, { round }, key)),
        );
        const ran = both.filter(
          ({ status, headers: own }) => status === 200 && !own.has("idempotent-replay"),
        );
        expect(ran).toHaveLength(1);
      }
      const { body: runs } = await one.call("GET", `/runs?toolName=${name}&limit=200`);
      expect(runs).toHaveLength(11);
    },
  );

  test(
    "shares the queue of a workspace and notifies the waiting client",
    proves("start.nodes", "run.queued"),
    async () => {
      const name = await one.makeTool(sleeper);
      const long = await Promise.all(
        Array.from({ length: 16 }, () =>
          one.call("POST", `/run/${name}`, { ms: 3_000 }, { prefer: "wait=0" }),
        ),
      );
      const headers = { "idempotency-key": randomUUID() };
      const waited = await callOther("POST", `/run/${name}`, { ms: 5 }, headers);
      expect(waited.body).toMatchObject({ status: "completed", output: { ms: 5 } });
      const replay = await one.call("POST", `/run/${name}`, { ms: 5 }, headers);
      expect(replay.text).toBe(waited.text);
      await Promise.all(long.map(({ body }) => one.finished(body.runId)));
    },
  );

  test("streams logs of another node", proves("start.nodes", "run.logs_sse"), async () => {
    const name = await one.makeTool(`export default async (input, ctx) => {
      for (let n = 1; n <= 5; n++) {
        console.log("line " + n);
        ctx.progress(n / 5);
        await new Promise((done) => setTimeout(done, 400));
      }
      return {};
    }`);
    const { body } = await callOther("POST", `/run/${name}`, {}, { prefer: "wait=0" });
    const { text, headers } = await one.call("GET", `/runs/${body.runId}/logs`, undefined, {
      accept: "text/event-stream",
    });
    expect(headers.get("content-type")).toBe("text/event-stream");
    const lines = [...text.matchAll(/"message":"(line \d)"/g)].map(([, line]) => line);
    expect(lines).toEqual(["line 1", "line 2", "line 3", "line 4", "line 5"]);
    expect(text.match(/^event: progress$/gm)?.length).toBeGreaterThan(1);
    expect(text).toMatch(/event: end\ndata: .*"status":"completed".*\n\n$/);
  });

  test("seals one chain of events", proves("start.nodes", "audit.sealed"), async () => {
    const name = await one.makeTool("export default () => ({})");
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 === 0 ? one.call : callOther)("POST", `/run/${name}`, {}),
      ),
    );
    const events = await until("every event is sealed", 30_000, async () => {
      const { body } = await one.call("GET", "/audit-events?limit=200");
      return body.every(({ sequence }: { sequence: number | null }) => sequence !== null) && body;
    });
    const numbers = events.map(({ sequence }: { sequence: number }) => sequence);
    expect(numbers.toSorted((a: number, b: number) => a - b)).toEqual(
      Array.from(numbers, (_, index) => index + 1),
    );
  });

  test(
    "recovers the runs of an offline node only",
    proves("start.nodes", "run.terminal", "run_error.sandbox_lost"),
    async () => {
      const name = await one.makeTool(sleeper);
      const kept = await one.call("POST", `/run/${name}`, { ms: 60_000 }, { prefer: "wait=0" });
      const lost = await callOther("POST", `/run/${name}`, { ms: 60_000 }, { prefer: "wait=0" });
      const again = await one.makeTool(sleeper, { idempotent: true });
      const taken = await callOther("POST", `/run/${again}`, { ms: 4_000 }, { prefer: "wait=0" });
      await endService(other, "SIGKILL");
      expect(await one.finished(lost.body.runId)).toMatchObject({
        status: "failed",
        error: { code: "sandbox_lost" },
      });
      expect(await one.finished(taken.body.runId)).toMatchObject({
        status: "completed",
        output: { ms: 4_000 },
        attempt: 2,
      });
      expect((await one.call("GET", `/runs/${kept.body.runId}`)).body.status).toBe("running");
      const events = await one.call("GET", `/audit-events?target=${lost.body.runId}`);
      expect(events.body).toMatchObject([{ action: "run.create", outcome: "sandbox_lost" }]);
    },
  );
});

test.skipIf(dialect !== "postgres")(
  "starts three nodes at the same moment on an empty database",
  proves("start.nodes"),
  async () => {
    const database = await createDatabase();
    const workDir = await mkdtemp(join(tmpdir(), "toolhost-e2e-"));
    const nodes = [1, 2, 3].map((n) =>
      spawnService(workDir, {
        PORT: "0",
        DATA_DIR: join(workDir, `node-${n}`),
        DATABASE_URL: database?.url ?? "",
        ENCRYPTION_KEY: "ab".repeat(32),
        SANDBOX_IDLE_PROCESSES: "0",
      }),
    );
    try {
      const ready = await Promise.all(nodes.map(whenReady));
      for (const { baseUrl } of ready) expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
    } finally {
      await Promise.all(nodes.map((node) => endService(node, "SIGTERM")));
      await database?.drop();
      await rm(workDir, { recursive: true, force: true });
    }
  },
);

test.skipIf(dialect !== "postgres")(
  "accepts one key when nodes without ENCRYPTION_KEY start at the same moment",
  { ...proves("start.nodes", "start.encryption_key"), tags: ["nightly"] },
  async () => {
    const database = await createDatabase();
    const workDir = await mkdtemp(join(tmpdir(), "toolhost-e2e-"));
    const nodes = ["one", "other"].map((folder) =>
      spawnService(workDir, {
        PORT: "0",
        DATA_DIR: join(workDir, folder),
        DATABASE_URL: database?.url ?? "",
        SANDBOX_IDLE_PROCESSES: "0",
      }),
    );
    try {
      const refused = await Promise.race(nodes.map(async ({ exited }) => exited));
      expect(refused.code).toBe(1);
      // It came too late to create a key, or its key lost against the other node's.
      const message =
        /^(?:The database needs the encryption key|The encryption key does not match) .*\n$/;
      expect(refused.stderr).toMatch(message);
      const accepted = nodes.find((node) => node.isRunning());
      if (accepted === undefined) throw new Error("Both nodes were refused");
      const { baseUrl } = await whenReady(accepted);
      expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
    } finally {
      await Promise.all(nodes.map((node) => endService(node, "SIGTERM")));
      await database?.drop();
      await rm(workDir, { recursive: true, force: true });
    }
  },
);
