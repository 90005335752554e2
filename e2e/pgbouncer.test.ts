import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import pg from "pg";
import { summarizeStatement } from "../server/src/telemetry/statements.ts";
import { dialect } from "./src/database.ts";
import { createCall } from "./src/http.ts";
import type { Call } from "./src/http.ts";
import { hasPgBouncer, startPgBouncer } from "./src/pgbouncer.ts";
import type { PgBouncer } from "./src/pgbouncer.ts";
import { hasPostgres, startPostgres } from "./src/postgres-server.ts";
import type { PostgresServer } from "./src/postgres-server.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService, spawnService, whenReady } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";
import { until } from "./src/until.ts";

const isPossible = dialect === "postgres" && hasPgBouncer && hasPostgres;
if (dialect === "postgres" && !hasPgBouncer) {
  process.stderr.write("Skipping the tests behind PgBouncer: it is not installed.\n");
}
const lostMessages = "Messages between nodes do not arrive";
const sleeper = `export default async ({ ms, n }) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return { n };
};`;

describe.runIf(isPossible)("behind PgBouncer", () => {
  let database: PostgresServer;
  let pooler: PgBouncer;
  let server: Server;
  let other: ReadyService;
  let callOther: Call;

  beforeAll(async () => {
    // A server of its own, which counts statements.
    database = await startPostgres(["-c shared_preload_libraries=pg_stat_statements"]);
    const { url } = database;
    pooler = await startPgBouncer(url);
    server = await startServer({
      ENCRYPTION_KEY: randomBytes(32).toString("hex"),
      DATABASE_URL: pooler.urlOf(url),
      DATABASE_DIRECT_URL: url,
    });
    const settings = { ...server.settings, DATA_DIR: join(server.workDir, "other") };
    other = await whenReady(spawnService(server.workDir, settings));
    callOther = createCall(
      () => other.baseUrl,
      () => ({ authorization: `Bearer ${server.apiKey}` }),
    );
  });
  afterAll(async () => {
    if (other !== undefined) await endService(other, "SIGTERM");
    await server?.stop();
    await pooler?.stop();
    await database?.remove();
  });

  test("runs tools right after a restart, when no connection is open yet", async () => {
    const tool = await server.makeTool(sleeper);
    expect((await server.end("SIGTERM")).code).toBe(0);
    await server.startAgain();
    const runs = Array.from({ length: 40 }, (_, n) => server.run(tool, { ms: 1, n }));
    const statuses = (await Promise.all(runs)).map(({ body }) => body.status);
    expect(new Set(statuses)).toEqual(new Set(["completed"]));
  });

  test("runs tools on both nodes at once, each with its own result", async () => {
    const tool = await server.makeTool(sleeper);
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) => {
        const call = n % 2 === 0 ? server.call : callOther;
        return call("POST", `/run/${tool}`, { ms: 10, n }, { prefer: "wait=55" });
      }),
    );
    expect(answers.map(({ body }) => body.output?.n)).toEqual(answers.map((_, n) => n));
  });

  /** Starts to count statements; the returned function returns how often each was executed since. */
  async function countStatements() {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("create extension if not exists pg_stat_statements");
    await client.query("select pg_stat_statements_reset()");
    return async () => {
      const { rows } = await client.query<{ query: string; calls: number }>(
        "select query, sum(calls)::float8 as calls from pg_stat_statements group by query",
      );
      await client.end();
      const counts = new Map<string, number>();
      for (const { query, calls } of rows) {
        const name = summarizeStatement(query);
        counts.set(name, (counts.get(name) ?? 0) + calls);
      }
      return counts;
    };
  }

  test("serves load on both nodes with six connections to the server", async () => {
    const tool = await server.makeTool(sleeper);
    let next = 0;
    const wrong: unknown[] = [];
    const client = async () => {
      while (next < 600) {
        const n = next++;
        const call = n % 2 === 0 ? server.call : callOther;
        const { body } = await call("POST", `/run/${tool}`, { ms: 1, n }, { prefer: "wait=55" });
        if (body.output?.n !== n) wrong.push(body);
      }
    };
    await Promise.all(Array.from({ length: 48 }, client));
    expect(wrong).toEqual([]);
  });

  test("executes three statements for a run, as without a pooler", async () => {
    const tool = await server.makeTool("export default ({ n }) => ({ n })");
    const runs = 60;
    const run = async (n: number) => {
      const call = n % 2 === 0 ? server.call : callOther;
      expect((await call("POST", `/run/${tool}`, { n })).body.output).toEqual({ n });
    };
    for (let n = 0; n < 20; n++) await run(n);
    const read = await countStatements();
    for (let n = 0; n < runs; n++) await run(n);
    const counts = await read();
    const ofEach = [...counts].filter(([, count]) => count >= runs / 2).map(([name]) => name);
    expect(ofEach.toSorted()).toEqual(
      expect.arrayContaining([
        "insert idempotency_records insert runs insert unsealed_run_events insert run_bytes insert webhook_deliveries",
        "select idempotency_records tool_installs tools",
        "select members api_keys",
      ]),
    );
    // Two nodes also count the runs of the workspace on the other one. No statement sets up a session.
    expect(ofEach.filter((name) => name !== "select runs")).toHaveLength(3);
  });

  test("replays a response, and rejects the same key with other input", async () => {
    const tool = await server.makeTool(sleeper);
    const key = { "idempotency-key": randomUUID() };
    const [first, second] = await Promise.all([
      server.call("POST", `/run/${tool}`, { ms: 300, n: 1 }, key),
      callOther("POST", `/run/${tool}`, { ms: 300, n: 1 }, key),
    ]);
    expect(new Set([first.status, second.status])).toEqual(new Set([200, 409]));
    const again = await callOther("POST", `/run/${tool}`, { ms: 300, n: 1 }, key);
    expect(again.headers.get("idempotent-replay")).toBe("true");
    const reused = await server.call("POST", `/run/${tool}`, { ms: 300, n: 2 }, key);
    expect(reused.status).toBe(422);
  });

  test("receives messages of the other node on the direct connection", async () => {
    const tool = await server.makeTool(sleeper);
    const { body } = await callOther(
      "POST",
      `/run/${tool}`,
      { ms: 60_000, n: 1 },
      { prefer: "wait=0" },
    );
    expectStatus(200, await server.call("POST", `/runs/${body.runId}/cancel`));
    expect(await server.finished(body.runId)).toMatchObject({ status: "cancelled" });
    expect(server.process.printed().stderr).not.toContain(lostMessages);
    expect(other.printed().stderr).not.toContain(lostMessages);
  });

  test("creates, changes and deletes tools and credentials", async () => {
    const tool = await server.makeTool(sleeper);
    expectStatus(200, await callOther("PATCH", `/tools/${tool}`, { title: "Renamed" }));
    expect((await server.call("GET", `/tools/${tool}`)).body.title).toBe("Renamed");
    expectStatus(204, await server.call("DELETE", `/tools/${tool}`));
    const credential = { name: "SOME_KEY", value: "s3cr3t", owner: "user", hosts: ["a.example"] };
    expectStatus(201, await server.call("POST", "/credentials", credential));
    expectStatus(204, await callOther("DELETE", "/credentials/SOME_KEY"));
  });

  test("works without a direct URL, and reports that messages do not arrive", async () => {
    const { DATABASE_DIRECT_URL: _, ...settings } = server.settings;
    const alone = await whenReady(
      spawnService(server.workDir, { ...settings, DATA_DIR: join(server.workDir, "third") }),
    );
    try {
      const call = createCall(
        () => alone.baseUrl,
        () => ({ authorization: `Bearer ${server.apiKey}` }),
      );
      const tool = await server.makeTool(sleeper);
      const { body } = await call("POST", `/run/${tool}`, { ms: 1, n: 7 });
      expect(body.output).toEqual({ n: 7 });
      await until("the warning is logged", 10_000, () =>
        alone.printed().stderr.includes(lostMessages),
      );
    } finally {
      await endService(alone, "SIGTERM");
    }
  });
});
