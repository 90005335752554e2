import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, dialect } from "./src/database.ts";
import { createCall } from "./src/http.ts";
import type { Answer } from "./src/http.ts";
import { programPath } from "./src/program.ts";
import { proves } from "./src/proves.ts";
import { draftOf, expectStatus } from "./src/server.ts";
import { enter, readFirstRun } from "./src/sign-in.ts";
import { endService, spawnService, whenReady } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";
import { until } from "./src/until.ts";

const code = `export default async (input, ctx) => {
  console.log("seen", input.number);
  if (input.number % 5 === 4) throw new Error("no fours");
  return { number: input.number, words: "ä 日本 😀" };
};`;

describe.skipIf(dialect !== "postgres")("moving an embedded database to PostgreSQL", () => {
  let workDir: string;
  let database: { url: string; drop(): Promise<void> } | undefined;
  let service: ReadyService | undefined;
  const settings = {
    PORT: "0",
    SANDBOX_IDLE_PROCESSES: "1",
    SHUTDOWN_GRACE_MS: "500",
    AUDIT_SEAL_INTERVAL_MS: "200",
    RATE_LIMIT_REQUESTS_PER_MINUTE: "0",
    RATE_LIMIT_RUNS_PER_MINUTE: "0",
    RATE_LIMIT_USER_REQUESTS_PER_MINUTE: "0",
    RATE_LIMIT_USER_RUNS_PER_MINUTE: "0",
    RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE: "0",
    RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE: "0",
    RATE_LIMIT_ANONYMOUS_REQUESTS_PER_MINUTE: "0",
  };

  beforeAll(async () => {
    workDir = await mkdtemp(join(tmpdir(), "toolhost-move-e2e-"));
    database = await createDatabase();
    for (const name of ["old", "new"]) await mkdir(join(workDir, name));
  });
  afterAll(async () => {
    if (service !== undefined) await endService(service, "SIGTERM");
    await database?.drop();
    await rm(workDir, { recursive: true, force: true });
  });

  const oldDir = () => join(workDir, "old");
  const start = async (more: Record<string, string>) => {
    service = await whenReady(spawnService(workDir, { ...settings, ...more }));
    return service.baseUrl;
  };
  /** Runs one of the service's scripts on the data before or after the move. */
  const script = async (name: "migrate-to-postgres" | "verify-audit") => {
    const env = {
      PATH: process.env["PATH"],
      DATA_DIR: oldDir(),
      DATABASE_URL: database?.url ?? "",
    };
    try {
      const options = { cwd: workDir, env };
      const done = await promisify(execFile)(process.execPath, [programPath(name)], options);
      return { code: 0, ...done };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string };
    }
  };

  test(
    "moves all data, so that the service continues unchanged",
    proves("start.move_to_postgres"),
    async () => {
      let baseUrl = await start({ DATA_DIR: oldDir() });
      const cookie = await enter(baseUrl, "sign-in", await readFirstRun(oldDir()));
      const owner = createCall(
        () => baseUrl,
        () => ({ cookie, origin: baseUrl }),
      );
      const scopes = ["mcp:read", "mcp:execute", "tools:write", "audit:read"];
      const made = expectStatus(201, await owner("POST", "/api-keys", { name: "All", scopes }));
      const call = createCall(
        () => baseUrl,
        () => ({ authorization: `Bearer ${made.body.key}` }),
      );
      const saved = expectStatus(201, await call("POST", "/tools", draftOf(code)));
      const tool = String(saved.body.name);
      const keys = Array.from({ length: 20 }, () => randomUUID());
      const run = (number: number) =>
        call("POST", `/run/${tool}`, { number }, { "idempotency-key": keys[number] });
      const before: Answer[] = [];
      for (const number of keys.keys()) before.push(expectStatus(200, await run(number)));
      await until("all events are sealed", 30_000, async () => {
        const events = expectStatus(200, await call("GET", "/audit-events"));
        return events.body.every(({ hash }: { hash: string | null }) => hash !== null);
      });
      const paths = [
        "/runs?limit=200",
        "/tools",
        `/tools/${tool}`,
        `/tools/${tool}/versions`,
        "/audit-events?limit=200",
        `/runs/${before[0]?.body.runId}`,
        `/runs/${before[0]?.body.runId}/logs`,
      ];
      const read = async () => {
        const texts = [];
        // URLs contain the port, which changes with the move.
        for (const path of paths) {
          texts.push(expectStatus(200, await call("GET", path)).text.replaceAll(baseUrl, ""));
        }
        return texts;
      };
      const read1 = await read();
      expect(read1[6]).toContain("seen");

      const refused = await script("migrate-to-postgres");
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/^Another Toolhost is running on the data folder .*\n$/);
      if (service !== undefined) await endService(service, "SIGTERM");

      const moved = await script("migrate-to-postgres");
      expect(moved).toMatchObject({ code: 0, stderr: "" });
      expect(moved.stdout).toMatch(/^runs: 20 rows$/m);
      expect(moved.stdout).toContain(join(oldDir(), "encryption.key"));
      const encryptionKey = (await readFile(join(oldDir(), "encryption.key"), "utf8")).trim();
      expect(moved.stdout).not.toContain(encryptionKey);

      baseUrl = await start({
        DATA_DIR: join(workDir, "new"),
        DATABASE_URL: database?.url ?? "",
        ENCRYPTION_KEY: encryptionKey,
      });
      expect(await read()).toEqual(read1);
      expect((await owner("GET", "/me")).body.workspace.name).toBe("Local");
      const again = await run(3);
      expect(again.headers.get("idempotent-replay")).toBe("true");
      expect(again.text).toBe(before[3]?.text);
      expect((await call("POST", `/run/${tool}`, { number: 20 })).body.output.number).toBe(20);
      const verified = await script("verify-audit");
      expect(verified.stdout).toMatch(/^workspace \S+: \d+ events, valid$/m);
      expect(verified.code).toBe(0);

      const twice = await script("migrate-to-postgres");
      expect(twice.code).toBe(1);
      expect(twice.stderr).toBe("A Toolhost is running on the target database. Stop it first.\n");
    },
  );
});
