import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { dialect } from "./src/database.ts";
import { expectProblem } from "./src/expect-problem.ts";
import { createCall } from "./src/http.ts";
import type { Answer } from "./src/http.ts";
import { findQuietPort, hasPostgres, startPostgres } from "./src/postgres-server.ts";
import type { PostgresServer } from "./src/postgres-server.ts";
import { canSeeProcesses, descendantsOf, isSandboxProcess } from "./src/processes.ts";
import { proves } from "./src/proves.ts";
import { draftOf, expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService, spawnService } from "./src/service-process.ts";
import { canMakeDisk, makeSmallDisk } from "./src/small-disk.ts";
import type { SmallDisk } from "./src/small-disk.ts";
import { until } from "./src/until.ts";

const sleeper = `export default async ({ ms, n }) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return { n };
};`;
const readiness = z.object({
  status: z.string(),
  database: z.object({ ready: z.boolean(), problem: z.string().optional() }),
  sandbox: z.object({ ready: z.boolean(), problem: z.string().optional() }),
});

/** The state of the database in `GET /readyz`, which responds at once whatever has failed. */
async function readReadiness(server: Server) {
  const { status, database } = await readHealth(server);
  return { status, ...database };
}

async function readHealth({ baseUrl }: Server) {
  const startedAt = performance.now();
  const response = await fetch(`${baseUrl}/readyz`);
  const report = readiness.parse(await response.json());
  // Far less than the timeout of any check; on an idle machine it takes a few milliseconds.
  expect(performance.now() - startedAt, "milliseconds to respond").toBeLessThan(1_000);
  return { ...report, status: response.status };
}

const upload = (text: string) => ({
  fileName: "a.txt",
  mimeType: "text/plain",
  contentBase64: Buffer.from(text).toString("base64"),
});

const unavailable = "the database is unavailable";
const available = "the database is available again";
const logLine = z.looseObject({
  level: z.int(),
  msg: z.string(),
  failures: z.int().optional(),
  durationMs: z.number().optional(),
});
type LogLine = z.infer<typeof logLine>;

/** What the service has logged after so many characters. */
function linesSince(server: Server, characters: number): LogLine[] {
  return linesOf(server.process.printed().stderr.slice(characters));
}

function linesOf(text: string): LogLine[] {
  // The last line may not be complete yet.
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => logLine.parse(JSON.parse(line)));
}

const untilReady = (server: Server) =>
  until("the service is ready again", 30_000, async () => {
    const { status } = await readReadiness(server);
    return status === 200;
  });

const isRefusal = (answer: Answer) => {
  expectProblem(answer, "unavailable");
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
};

/** Repeats the same write until it is not rejected. */
const retryUntilAccepted = (
  server: Server,
  tool: string,
  input: object,
  headers: Record<string, string>,
) =>
  until("the key is answered", 30_000, async () => {
    const answer = await server.call("POST", `/run/${tool}`, input, headers);
    if ([409, 503].includes(answer.status)) await sleep(200);
    return ![409, 503].includes(answer.status) && answer;
  });

const runsOf = async (server: Server, tool: string) =>
  expectStatus(200, await server.call("GET", `/runs?toolName=${tool}&limit=200`)).body;

/** Checks that the key replays its response, and that no second run exists. */
async function expectReplay(
  server: Server,
  tool: string,
  input: object,
  headers: Record<string, string>,
  first: Answer,
): Promise<void> {
  const again = await server.call("POST", `/run/${tool}`, input, headers);
  expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: first.text });
  expect(again.headers.get("idempotent-replay")).toBe("true");
  expect(await runsOf(server, tool)).toHaveLength(1);
  const events = await server.call("GET", `/audit-events?target=${first.body.runId}`);
  expect(events.body).toHaveLength(1);
}

describe.skipIf(dialect !== "postgres" || !hasPostgres)("while the database is away", () => {
  let postgres: PostgresServer;
  let server: Server;

  beforeAll(async () => {
    postgres = await startPostgres();
    server = await startServer({ DATABASE_URL: postgres.url });
  });
  // A failed test must not affect the next one.
  afterEach(async () => {
    await postgres.start().catch(() => undefined);
    await untilReady(server);
  });
  afterAll(async () => {
    await server?.stop();
    await postgres?.remove();
  });

  test.each(["fast", "immediate"] as const)(
    "responds 503 with Retry-After on every route that needs it, and recovers (%s stop)",
    proves("error.unavailable", "health.not_ready", "health.live", "health.recovers"),
    async (mode) => {
      const name = await server.makeTool(sleeper);
      const { body } = expectStatus(200, await server.run(name, { ms: 1, n: 1 }));
      await postgres.stop(mode);
      const calls: Parameters<Server["call"]>[] = [
        ["GET", "/me"],
        ["GET", "/tools"],
        ["GET", `/tools/${name}`],
        ["GET", "/skills/search?q=test"],
        ["GET", `/skill/${name}`],
        ["GET", "/runs"],
        ["GET", `/runs/${body.runId}`],
        ["GET", `/runs/${body.runId}/logs`],
        ["GET", "/audit-events"],
        ["POST", `/run/${name}`, { ms: 1, n: 2 }],
        ["POST", "/tools", draftOf(sleeper)],
        ["PATCH", `/tools/${name}`, { title: "Other" }],
        ["DELETE", `/tools/${name}`],
        ["POST", `/runs/${body.runId}/cancel`],
      ];
      for (const call of calls) {
        const answer = await server.call(...call);
        expect(answer.status, `${call[0]} ${call[1]}: ${answer.text}`).toBe(503);
        isRefusal(answer);
      }
      isRefusal(await server.callAsOwner("GET", "/api-keys"));
      const signIn = await fetch(`${server.baseUrl}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: server.baseUrl },
        body: JSON.stringify({ email: "ada@example.com", password: "a long pass phrase" }),
      });
      expect(signIn.status).toBe(503);
      expect(await readReadiness(server)).toEqual({
        status: 503,
        ready: false,
        problem: expect.stringMatching(/is not responding/),
      });
      expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200);

      await postgres.start();
      await untilReady(server);
      expect((await server.run(name, { ms: 1, n: 3 })).body.output).toEqual({ n: 3 });
      expectStatus(200, await server.callAsOwner("GET", "/api-keys"));
    },
  );

  test(
    "returns a run that ended during the outage, and replays its key",
    proves("run.terminal", "run.never_twice", "health.recovers", "idempotency.runs_once"),
    async () => {
      const name = await server.makeTool(sleeper);
      const input = { ms: 2_000, n: 1 };
      const headers = { "idempotency-key": randomUUID(), prefer: "wait=55" };
      const answered = server.call("POST", `/run/${name}`, input, headers);
      await sleep(700);
      await postgres.stop("immediate");
      await sleep(3_000);
      await postgres.start();
      let answer = await answered;
      if (answer.status !== 200) {
        isRefusal(answer);
        answer = await retryUntilAccepted(server, name, input, headers);
      }
      expect(expectStatus(200, answer).body.status).toMatch(/^(?:running|completed)$/);
      expect(await server.finished(answer.body.runId)).toMatchObject({
        status: "completed",
        output: { n: 1 },
      });
      await expectReplay(server, name, input, headers, answer);
    },
  );

  test(
    "loses neither the run nor its key if the wait ends during the outage",
    proves("run.terminal", "run.never_twice", "idempotency.runs_once"),
    async () => {
      const name = await server.makeTool(sleeper);
      const input = { ms: 5_000, n: 1 };
      const headers = { "idempotency-key": randomUUID(), prefer: "wait=1" };
      const answered = server.call("POST", `/run/${name}`, input, headers);
      await sleep(500);
      await postgres.stop("fast");
      const early = await answered;
      if (early.status !== 200) isRefusal(early);
      await postgres.start();
      const answer = await retryUntilAccepted(server, name, input, headers);
      expect(await server.finished(answer.body.runId)).toMatchObject({
        status: "completed",
        output: { n: 1 },
      });
      await expectReplay(server, name, input, headers, early.status === 200 ? early : answer);
    },
  );

  test("replaces broken connections", proves("health.recovers"), async () => {
    const name = await server.makeTool(sleeper);
    for (let round = 0; round < 5; round++) {
      expect(await postgres.cutConnections()).toBeGreaterThan(0);
      const headers = { "idempotency-key": randomUUID(), prefer: "wait=55" };
      const answer = await retryUntilAccepted(server, name, { ms: 1, n: round }, headers);
      expect(expectStatus(200, answer).body.output).toEqual({ n: round });
    }
    expect(await runsOf(server, name)).toHaveLength(5);
  });

  test("logs an outage in two lines", { ...proves("log.outage"), tags: ["nightly"] }, async () => {
    const name = await server.makeTool(sleeper);
    await until("the outage of the test before has ended", 20_000, () => {
      const messages = linesSince(server, 0).map(({ msg }) => msg);
      return messages.lastIndexOf(available) >= messages.lastIndexOf(unavailable);
    });
    const printedBefore = server.process.printed().stderr.length;
    const startedAt = performance.now();
    await postgres.stop("immediate");
    for (let count = 0; count < 50; count++) {
      isRefusal(await server.call("GET", "/tools"));
      isRefusal(await server.call("POST", `/run/${name}`, { ms: 1, n: count }));
      await sleep(50);
    }
    await postgres.start();
    await untilReady(server);
    const lines = await until("the end of the outage is logged", 20_000, () => {
      const found = linesSince(server, printedBefore);
      return found.some(({ msg }) => msg === available) && found;
    });
    const durationMs = performance.now() - startedAt;
    expect(lines).toMatchObject([
      { level: 50, msg: unavailable, problem: expect.stringMatching(/is not responding/) },
      { level: 40, msg: available, failures: expect.any(Number) },
    ]);
    expect(lines[1]?.failures).toBeGreaterThanOrEqual(100);
    expect(lines[1]?.durationMs).toBeGreaterThan(2_000);
    expect(lines[1]?.durationMs).toBeLessThan(durationMs);
  });

  test(
    "detects a database that stops responding on open connections",
    { ...proves("error.unavailable", "health.not_ready", "health.recovers"), tags: ["nightly"] },
    async () => {
      const name = await server.makeTool(sleeper);
      await server.run(name, { ms: 1, n: 1 });
      const thaw = postgres.freeze();
      try {
        isRefusal(await server.call("GET", "/tools"));
        isRefusal(await server.call("POST", `/run/${name}`, { ms: 1, n: 2 }));
        expect(await readReadiness(server)).toMatchObject({ status: 503, ready: false });
      } finally {
        thaw();
      }
      await untilReady(server);
      expect((await server.run(name, { ms: 1, n: 3 })).body.output).toEqual({ n: 3 });
    },
  );
});

// The sandbox does not depend on the database, so each change tests this on SQLite only.
const isRepeated = dialect === "postgres" && process.env["TEST_ALL"] !== "1";
describe.skipIf(!canSeeProcesses || isRepeated)("while the sandbox does not respond", () => {
  let server: Server;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());

  test("is not ready, and recovers", proves("health.not_ready", "health.recovers"), async () => {
    await untilReady(server);
    const signal = (name: NodeJS.Signals) => {
      for (const { pid } of descendantsOf(server.process.pid).filter(isSandboxProcess)) {
        try {
          process.kill(pid, name);
        } catch (error) {
          // It has ended since it was listed.
          if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
        }
      }
    };
    const report = await until("the sandbox is not ready", 30_000, async () => {
      // Those that start meanwhile as well.
      signal("SIGSTOP");
      const found = await readHealth(server);
      return found.status === 503 && found;
    });
    expect(report.database).toMatchObject({ ready: true });
    // The check may time out, or its process may be replaced, and the new one stopped as well.
    expect(report.sandbox.problem).toMatch(/\w+/);
    signal("SIGCONT");
    await untilReady(server);
  });
});

if (dialect === "sqlite" && !canMakeDisk) {
  process.stderr.write(
    "Skipped: a full disk. It needs unshare and the right to make a mount namespace.\n",
  );
}

describe.skipIf(dialect !== "sqlite" || !canMakeDisk)("while the disk is full", () => {
  let disk: SmallDisk;
  let server: Server;

  beforeAll(async () => {
    disk = await makeSmallDisk(48);
    const location = { dataDir: disk.seenAt, launcher: disk.launcher };
    // A busy machine blocks the event loop as well, which is another line in the log.
    const settings = { DATA_DIR: disk.folder, EVENT_LOOP_ALARM_MS: "0" };
    server = await startServer(settings, location);
  });
  afterAll(async () => {
    await disk?.free();
    await server?.stop();
    await disk?.remove();
  });

  test(
    "rejects writes and serves reads on a full disk, and loses nothing",
    proves(
      "error.unavailable",
      "health.not_ready",
      "health.recovers",
      "run.terminal",
      "log.outage",
    ),
    async () => {
      const name = await server.makeTool(sleeper);
      const slow = { "idempotency-key": randomUUID(), prefer: "wait=0" };
      const started = await server.call("POST", `/run/${name}`, { ms: 3_000, n: -1 }, slow);
      expect(started.body.status).toBe("running");
      const file = expectStatus(201, await server.call("POST", "/upload", upload("in time"))).body;
      const printedBefore = server.process.printed().stderr.length;
      await disk.fill();
      const accepted: { n: number; key: string; answer: Answer }[] = [];
      const refused = await until("a write is refused", 30_000, async () => {
        const n = accepted.length;
        const key = randomUUID();
        const answer = await server.call(
          "POST",
          `/run/${name}`,
          { ms: 1, n },
          { "idempotency-key": key },
        );
        if (answer.status === 200) accepted.push({ n, key, answer });
        return answer.status !== 200 && { n, key, answer };
      });
      isRefusal(refused.answer);
      isRefusal(await server.call("POST", "/tools", draftOf(sleeper)));
      isRefusal(await server.call("POST", "/upload", upload("too late")));
      // The next heartbeat detects it.
      const notReady = await until("the service is not ready", 30_000, async () => {
        const found = await readReadiness(server);
        return found.status === 503 && found;
      });
      expect(notReady.problem).toMatch(/disk.*full/i);
      expectStatus(200, await server.call("GET", "/tools"));
      expectStatus(200, await server.call("GET", `/runs/${started.body.runId}`));
      expectStatus(200, await server.call("GET", `/skill/${name}`));
      expect((await server.call("GET", `/files/${file.fileId}`)).text).toBe("in time");
      // Waits until the slow run has ended, whose result cannot be stored.
      await sleep(3_500);

      await disk.free();
      await untilReady(server);
      expect(await server.finished(started.body.runId)).toMatchObject({
        status: "completed",
        output: { n: -1 },
      });
      expectStatus(201, await server.call("POST", "/upload", upload("again")));
      const input = { ms: 1, n: refused.n };
      const later = await retryUntilAccepted(server, name, input, {
        "idempotency-key": refused.key,
      });
      expect(await server.finished(later.body.runId)).toMatchObject({ output: { n: refused.n } });
      for (const { n, key, answer } of accepted) {
        const again = await server.call(
          "POST",
          `/run/${name}`,
          { ms: 1, n },
          { "idempotency-key": key },
        );
        expect(again.text).toBe(answer.text);
        expect(again.headers.get("idempotent-replay")).toBe("true");
      }
      expect(await runsOf(server, name)).toHaveLength(accepted.length + 2);
      const lines = await until("the end of the outage is logged", 20_000, () => {
        const found = linesSince(server, printedBefore);
        return found.some(({ msg }) => msg === available) && found;
      });
      expect(lines).toMatchObject([{ msg: unavailable }, { msg: available }]);
    },
  );
});

test.skipIf(dialect !== "sqlite" || !canMakeDisk)(
  "reports in one line that the disk is too small for a first start",
  proves("start.interrupted"),
  async () => {
    const disk = await makeSmallDisk(1);
    try {
      const settings = { PORT: "0", DATA_DIR: disk.folder };
      const { code, stderr } = await spawnService(tmpdir(), settings, disk.launcher).exited;
      expect(stderr).toBe("The disk is full. Free some space and run the command again.\n");
      expect(code).toBe(1);
    } finally {
      await disk.remove();
    }
  },
);

describe.skipIf(dialect !== "sqlite" || !existsSync("/dev/full"))(
  "with a log on a full disk",
  () => {
    let server: Server;
    let disk: SmallDisk | undefined;
    afterEach(async () => {
      await server?.stop();
      await disk?.remove();
    });

    /** A launcher that becomes the service with its outputs redirected by the shell. */
    const redirected = (redirection: string) => ["sh", "-c", `exec "$@" ${redirection}`, "sh"];

    test(
      "starts, serves and stops",
      { ...proves("log.destination"), tags: ["nightly"] },
      async () => {
        server = await startServer();
        await server.end("SIGTERM");
        const port = String(await findQuietPort());
        const service = spawnService(
          server.workDir,
          { ...server.settings, PORT: port, LOG_LEVEL: "debug" },
          redirected(">/dev/full 2>/dev/full"),
        );
        const call = createCall(
          () => `http://127.0.0.1:${port}`,
          () => ({ authorization: `Bearer ${server.apiKey}` }),
        );
        await until("the service responds", 45_000, async () => {
          const answer = await call("GET", "/tools").catch(() => undefined);
          return answer?.status === 200;
        });
        const { body } = expectStatus(201, await call("POST", "/tools", draftOf(sleeper)));
        const run = await call("POST", `/run/${body.name}`, { ms: 1, n: 1 }, { prefer: "wait=55" });
        expect(expectStatus(200, run).body.output).toEqual({ n: 1 });
        expect((await endService(service, "SIGTERM")).code).toBe(0);
      },
    );

    test.skipIf(!canMakeDisk)(
      "reports what it lost once there is space again",
      { ...proves("log.destination"), tags: ["nightly"] },
      async () => {
        disk = await makeSmallDisk(1);
        const file = join(disk.seenAt, "log");
        const launcher = [...disk.launcher, ...redirected(`2>>${join(disk.folder, "log")}`)];
        server = await startServer({ LOG_LEVEL: "debug" }, { launcher });
        const name = await server.makeTool(sleeper);
        await disk.fill();
        // Each run logs a line of over 100 bytes, and the last page of the file has room for less than 4,096.
        const runs = Array.from({ length: 60 }, (_, n) => server.run(name, { ms: 1, n }));
        for (const { body } of await Promise.all(runs)) expect(body.status).toBe("completed");
        await disk.free();
        const report = await until("the loss is reported", 20_000, async () =>
          linesOf(await readFile(file, "utf8")).find(({ code }) => code === "ENOSPC"),
        );
        expect(report).toMatchObject({
          level: 40,
          msg: "the log could not be written for a while",
          droppedLines: 0,
        });
        // The lines that waited are whole and complete.
        const lines = linesOf(await readFile(file, "utf8"));
        expect(lines.filter(({ msg }) => msg === "executing a run")).toHaveLength(60);
      },
    );
  },
);
