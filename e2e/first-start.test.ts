import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { toolDetail } from "@toolhost/contract";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, dialect } from "./src/database.ts";
import { expectProblem } from "./src/expect-problem.ts";
import { createCall } from "./src/http.ts";
import { canSeeProcesses, descendantsOf, isAlive } from "./src/processes.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import { readFirstRun } from "./src/sign-in.ts";
import type { Server } from "./src/server.ts";
import { endService, findFreePort, spawnService, whenReady } from "./src/service-process.ts";
import { until } from "./src/until.ts";

const isFull = process.env["TEST_ALL"] === "1";
const sleeper = `export default async ({ ms }) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return { slept: ms };
};`;
const spinner = "export default () => { for (;;); }";

describe.skipIf(dialect !== "sqlite")("a first start", () => {
  let server: Server;
  let printed: string;

  beforeAll(async () => {
    const launcher = ["sh", "-c", 'umask 000 && exec "$@"', "sh"];
    server = await startServer({}, { launcher, isFirst: true });
    const curl = () => /^curl .+$/m.test(server.process.printed().stdout);
    await until("everything is printed", 60_000, curl);
    printed = server.process.printed().stdout;
  });
  afterAll(() => server?.stop());

  test(
    "prints its address, the owner, their password and a key",
    proves("start.address", "start.account_printed"),
    async () => {
      const { baseUrl, email, password, apiKey } = await readFirstRun(server.dataDir);
      expect(printed).toContain(`Toolhost is ready at ${baseUrl}\n`);
      for (const secret of [email, password, apiKey]) {
        expect(printed.split("\n").some((line) => line.endsWith(` ${secret}`))).toBe(true);
      }
      expect(printed).toContain(join(server.dataDir, "first-run.json"));
    },
  );

  test(
    "prints a curl line that runs a tool as pasted",
    proves("start.curl_line", "start.starter_tools"),
    async () => {
      const line = /^curl .+$/m.exec(printed)?.[0] ?? "";
      const { stdout } = await promisify(execFile)("bash", ["-c", line]);
      expect(stdout).toContain('"status":"completed"');
      expect(Object.keys(JSON.parse(stdout).output).length).toBeGreaterThan(0);
    },
  );

  test(
    "writes first-run.json for its user alone, with exactly the contract's fields",
    proves("start.first_run_file"),
    async () => {
      const firstRun = await readFirstRun(server.dataDir);
      expect(Object.keys(firstRun)).toEqual([
        "baseUrl",
        "email",
        "password",
        "workspaceId",
        "apiKey",
      ]);
      expect(firstRun).toMatchObject({
        baseUrl: server.baseUrl,
        email: "owner@localhost",
        workspaceId: server.workspaceId,
      });
      const { mode } = await stat(join(server.dataDir, "first-run.json"));
      expect((mode & 0o777).toString(8)).toBe("600");
    },
  );

  test(
    "hides every secret from other users of the machine",
    proves("start.encryption_key"),
    async () => {
      // Other users need to traverse the folder to the sandbox's sockets, but cannot list or read it.
      const folder = await stat(server.dataDir);
      expect((folder.mode & 0o066).toString(8)).toBe("0");
      const entries = await readdir(server.dataDir, { withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      expect(files).toEqual(
        expect.arrayContaining(["encryption.key", "first-run.json", "toolhost.db"]),
      );
      for (const name of files) {
        const { mode } = await stat(join(server.dataDir, name));
        expect([name, (mode & 0o777).toString(8)]).toEqual([name, "600"]);
      }
    },
  );

  test("creates nothing that other users can change, with any umask", async () => {
    const entries = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
    const found = entries.filter((entry) => entry.isFile() || entry.isDirectory());
    expect(found.map(({ name }) => name)).toContain("filter.bpf");
    for (const { parentPath, name } of found) {
      const { mode } = await stat(join(parentPath, name));
      expect([name, (mode & 0o022).toString(8)]).toEqual([name, "0"]);
    }
  });

  test("creates a key that can only read and run", proves("start.first_key_scopes"), async () => {
    const { apiKey, email } = await readFirstRun(server.dataDir);
    const { body } = await server.callWithKey(apiKey)("GET", "/me");
    expect(body.scopes.toSorted()).toEqual(["mcp:execute", "mcp:read"]);
    expect(body.user.email).toBe(email);
  });

  test("creates the workspace Local with its owner", proves("start.local_workspace"), async () => {
    const { body } = await server.callAsOwner("GET", "/me");
    expect(body).toMatchObject({
      user: { email: "owner@localhost" },
      workspace: { id: server.workspaceId, name: "Local", role: "owner" },
    });
  });

  test(
    "installs starter tools that return the outputs of their examples",
    { ...proves("start.starter_tools", "run.completed"), tags: ["nightly"] },
    async () => {
      const { body: tools } = await server.call("GET", "/tools?limit=200");
      expect(tools.length).toBeGreaterThanOrEqual(5);
      let checked = 0;
      for (const { name } of tools) {
        const { body } = expectStatus(200, await server.call("GET", `/tools/${name}`));
        const { examples, ...needs } = toolDetail.parse(body);
        expect(examples.length, name).toBeGreaterThan(0);
        // Tools that need a file, a secret or the network have tests in `starter-tools`.
        const { fileFields, credentials, allowedHosts } = needs;
        if ([...fileFields, ...credentials, ...allowedHosts].length > 0) continue;
        for (const { input, output } of examples) {
          const run = expectStatus(200, await server.run(name, input)).body;
          expect(run, `${name} ${JSON.stringify(input)}`).toMatchObject({ status: "completed" });
          if (output !== undefined) {
            expect(run.output, name).toEqual(output);
            checked += 1;
          }
        }
      }
      expect(checked).toBeGreaterThanOrEqual(tools.length / 2);
    },
  );

  test(
    "fails if another process uses the data folder",
    proves("start.one_process_per_folder"),
    async () => {
      const second = spawnService(server.workDir, { ...server.settings, PORT: "0" });
      const { code, stdout, stderr } = await second.exited;
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect(stderr).toContain(server.dataDir);
      expectStatus(200, await server.call("GET", "/tools"));
    },
  );

  test("fails if the port is in use", proves("start.wrong_setting"), async () => {
    const folder = await mkdtemp(join(tmpdir(), "toolhost-e2e-port-"));
    const { port } = new URL(server.baseUrl);
    const { code, stderr } = await spawnService(folder, {
      PORT: port,
      DATA_DIR: join(folder, "data"),
    }).exited;
    await rm(folder, { recursive: true });
    expect(code).toBe(1);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(/port/i);
  });

  test(
    "runs once: the next start retains all data and prints no secret",
    {
      ...proves("start.data_retained", "start.account_printed", "start.encryption_key"),
      tags: ["nightly"],
    },
    async () => {
      const name = await server.makeTool("export default () => ({ kept: true })");
      const run = expectStatus(200, await server.run(name)).body;
      const before = {
        tools: (await server.call("GET", "/tools?limit=200")).body.map(
          (tool: { name: string }) => tool.name,
        ),
        run: (await server.call("GET", `/runs/${run.runId}`)).body.output,
        events: (await server.call("GET", `/audit-events?target=${run.runId}`)).body.length,
        firstRun: await readFile(join(server.dataDir, "first-run.json"), "utf8"),
        key: await readFile(join(server.dataDir, "encryption.key"), "utf8"),
      };
      expect((await server.end("SIGTERM")).code).toBe(0);
      await server.startAgain();
      const after = {
        tools: (await server.call("GET", "/tools?limit=200")).body.map(
          (tool: { name: string }) => tool.name,
        ),
        run: (await server.call("GET", `/runs/${run.runId}`)).body.output,
        events: (await server.call("GET", `/audit-events?target=${run.runId}`)).body.length,
        firstRun: await readFile(join(server.dataDir, "first-run.json"), "utf8"),
        key: await readFile(join(server.dataDir, "encryption.key"), "utf8"),
      };
      expect(after).toEqual(before);
      expectStatus(200, await server.callAsOwner("GET", "/me"));
      expect((await server.run(name)).body.output).toEqual({ kept: true });
      const { email, password, apiKey } = await readFirstRun(server.dataDir);
      const { stdout, stderr } = server.process.printed();
      for (const secret of [email, password, apiKey, "curl"]) {
        expect(stdout + stderr).not.toContain(secret);
      }
    },
  );
});

// Settings are checked before the database is opened, so one database is enough.
describe.skipIf(dialect !== "sqlite")("a wrong setting", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "toolhost-e2e-setting-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const password = "hunter2hunter2";
  const expectRefusal = async (settings: Record<string, string>) => {
    const start = spawnService(folder, { PORT: "0", DATA_DIR: join(folder, "data"), ...settings });
    const { code, stdout, stderr } = await start.exited;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).not.toContain(password);
    return stderr;
  };

  test(
    "stops the start with one clear line that names each wrong setting and no secret",
    proves("start.wrong_setting"),
    async () => {
      const wrong = {
        PORT: "abc",
        BASE_URL: "not an address",
        DATABASE_URL: `mysql://toolhost:${password}@localhost/x`,
        ENCRYPTION_KEY: password,
        SANDBOX_ISOLATION: "none",
        LOG_LEVEL: "loud",
        RUN_WAIT_MS: "-1",
        RUN_MAX_MEMORY_MB: "much",
        SHUTDOWN_GRACE_MS: "1.5",
      };
      const line = await expectRefusal(wrong);
      for (const name of Object.keys(wrong)) expect(line).toContain(name);
      expect(existsSync(join(folder, "data"))).toBe(false);
    },
  );

  test(
    "does not print the password of a database that is unreachable",
    proves("start.wrong_setting"),
    async () => {
      await expectRefusal({ DATABASE_URL: `postgres://toolhost:${password}@127.0.0.1:1/x` });
    },
  );
});

describe.skipIf(dialect !== "sqlite")("a first start that does not go well", () => {
  let folder: string;
  const settings = () => ({ PORT: "0", DATA_DIR: join(folder, "data") });
  const checkFirstKey = async (baseUrl: string) => {
    const { apiKey } = await readFirstRun(join(folder, "data"));
    const headers = { authorization: `Bearer ${apiKey}` };
    const tools = await fetch(`${baseUrl}/api/v1/tools`, { headers });
    expect(tools.status).toBe(200);
    expect(((await tools.json()) as unknown[]).length).toBeGreaterThan(0);
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "toolhost-e2e-first-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test(
    "does not block the next start if it is killed",
    { ...proves("start.interrupted"), tags: ["nightly"] },
    async () => {
      const dataDir = join(folder, "data");
      const moments = [
        ...(isFull ? [() => existsSync(dataDir)] : []),
        () => existsSync(join(dataDir, "toolhost.db.new")),
        () => existsSync(join(dataDir, "first-run.json")),
        ...(isFull ? [() => existsSync(join(dataDir, "toolhost.db"))] : []),
      ];
      for (const hasCome of moments) {
        const cut = spawnService(folder, settings());
        await until("the start got so far", 30_000, () => hasCome() || !cut.isRunning());
        await endService(cut, "SIGKILL");
      }
      const service = await whenReady(spawnService(folder, settings()));
      await checkFirstKey(service.baseUrl);
      expect((await endService(service, "SIGTERM")).code).toBe(0);
    },
  );

  test("prints where the first account is until a user signs in", async () => {
    const dataDir = join(folder, "data");
    const first = await whenReady(spawnService(folder, settings()));
    await endService(first, "SIGKILL");
    const draft = `encryption.key.${randomUUID()}.new`;
    await writeFile(join(dataDir, draft), "interrupted");
    const second = await whenReady(spawnService(folder, settings()));
    const { password, email } = await readFirstRun(dataDir);
    const line = `No user has signed in yet. The first account and its password: ${join(dataDir, "first-run.json")}\n`;
    await until("the line is printed", 10_000, () => second.printed().stdout.includes(line));
    expect(second.printed().stdout).not.toContain(password);
    expect(await readdir(dataDir)).not.toContain(draft);
    const { baseUrl } = second;
    const signedIn = await fetch(`${baseUrl}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: baseUrl },
      body: JSON.stringify({ email, password }),
    });
    expect(signedIn.status).toBe(200);
    await endService(second, "SIGTERM");
    const third = await whenReady(spawnService(folder, settings()));
    const { stdout } = await endService(third, "SIGTERM");
    expect(stdout).toContain("MCP endpoint");
    expect(stdout).not.toContain("No user has signed in");
  });

  test.runIf(isFull)(
    "reports a concurrent first start, which completes",
    proves("start.one_process_per_folder"),
    async () => {
      const both = [spawnService(folder, settings()), spawnService(folder, settings())];
      const ended = await Promise.race(both.map(async (service) => service.exited));
      expect(ended.code).toBe(1);
      expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
      expect(ended.stderr).toContain(join(folder, "data"));
      const winner = both.find((service) => service.isRunning());
      if (winner === undefined) throw new Error("Both starts were refused");
      await checkFirstKey((await whenReady(winner)).baseUrl);
      expect((await endService(winner, "SIGTERM")).code).toBe(0);
    },
  );
});

test("responds 503 while it starts", proves("error.unavailable", "error.request_id"), async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolhost-e2e-starting-"));
  const port = await findFreePort();
  // Creating the database makes the start take longer.
  const database = await createDatabase();
  const service = spawnService(folder, {
    PORT: String(port),
    DATA_DIR: join(folder, "data"),
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
  });
  const call = createCall(
    () => `http://127.0.0.1:${port}`,
    () => ({}),
  );
  const answer = await until("the port answers", 30_000, () =>
    call("GET", "/tools").catch(() => undefined),
  );
  await endService(service, "SIGKILL");
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
  expectProblem(answer, "unavailable");
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
});

describe("stopping", () => {
  const longGrace = { SHUTDOWN_GRACE_MS: "600000" };
  const shortGrace = { SHUTDOWN_GRACE_MS: "500" };
  let server: Server;
  const startRun = async (code: string, input: object = {}) => {
    const name = await server.makeTool(code);
    const answer = await server.call("POST", `/run/${name}`, input, { prefer: "wait=0" });
    expect(expectStatus(200, answer).body.status).toBe("running");
    return String(answer.body.runId);
  };
  /** Waits for sandbox processes, which exist once a run is executing. */
  const seeProcesses = () =>
    until("sandbox processes are there", 30_000, () => {
      const found = descendantsOf(server.process.pid).filter(({ command }) =>
        /workerd/.test(command),
      );
      return found.length > 0 && found;
    });

  beforeAll(async () => {
    server = await startServer(longGrace);
  });
  afterAll(() => server?.stop());

  describe("with a long grace time", () => {
    test(
      "lets runs finish that need less than the grace time, completes waiting requests, and accepts no more",
      proves("stop.grace", "stop.exit_code"),
      async () => {
        const runId = await startRun(sleeper, { ms: 1_500 });
        const name = await server.makeTool(sleeper);
        const waiting = server.run(name, { ms: 1_500 });
        await until("the run is there", 30_000, async () => {
          const { body } = await server.call("GET", `/runs?toolName=${name}`);
          return body.length === 1;
        });
        const ended = server.end("SIGINT");
        expect((await waiting).body).toMatchObject({ status: "completed" });
        const { code, signal } = await ended;
        expect({ code, signal }).toEqual({ code: 0, signal: null });
        await expect(server.call("GET", "/me")).rejects.toThrow(expect.anything());
        await server.startAgain();
        const { body } = await server.call("GET", `/runs/${runId}`);
        expect(body).toMatchObject({ status: "completed", output: { slept: 1_500 } });
      },
    );

    test("stops immediately on a second signal", proves("stop.no_orphans"), async () => {
      await startRun(sleeper, { ms: 60_000 });
      const processes = canSeeProcesses ? await seeProcesses() : [];
      server.process.signal("SIGTERM");
      await until("it takes no more requests", 30_000, () =>
        fetch(`${server.baseUrl}/healthz`).then(
          ({ status }) => status === 503,
          () => true,
        ),
      );
      // A second signal within a second counts as the same key press.
      server.process.signal("SIGINT");
      await sleep(1_200);
      expect(server.process.isRunning()).toBe(true);
      expect((await endService(server.process, "SIGTERM")).code).toBe(1);
      await until("no sandbox process is left", 30_000, () => !processes.some(isAlive));
    });
  });

  describe("with a short grace time", () => {
    beforeAll(async () => {
      await server.end("SIGTERM");
      await server.startAgain(shortGrace);
    });

    test.each(isFull ? (["SIGTERM", "SIGINT"] as const) : (["SIGTERM"] as const))(
      "interrupts longer runs on %s and leaves no process",
      proves("stop.interrupts", "stop.exit_code", "stop.no_orphans", "run.terminal"),
      async (name) => {
        const sleeping = await startRun(sleeper, { ms: 60_000 });
        const spinning = await startRun(spinner);
        const processes = canSeeProcesses ? await seeProcesses() : [];
        const { code, signal } = await server.end(name);
        expect({ code, signal }).toEqual({ code: 0, signal: null });
        await until("no sandbox process is left", 30_000, () => !processes.some(isAlive));
        await server.startAgain(shortGrace);
        for (const runId of [sleeping, spinning]) {
          const { body } = await server.call("GET", `/runs/${runId}`);
          expect(body).toMatchObject({ status: "failed", error: { code: "interrupted" } });
          expect(body.finishedAt).not.toBeNull();
          const events = await server.call("GET", `/audit-events?target=${runId}`);
          expect(events.body).toMatchObject([{ action: "run.create", outcome: "interrupted" }]);
        }
      },
    );

    test(
      "leaves no process on SIGKILL, and ends its runs at the next start",
      { ...proves("stop.no_orphans", "run.terminal", "audit.every_run"), tags: ["nightly"] },
      async () => {
        const name = await server.makeTool(sleeper);
        const done = expectStatus(200, await server.run(name, { ms: 1 })).body;
        const sleeping = await startRun(sleeper, { ms: 60_000 });
        const spinning = await startRun(spinner);
        const processes = canSeeProcesses ? await seeProcesses() : [];
        expect((await server.end("SIGKILL")).signal).toBe("SIGKILL");
        await until("no sandbox process is left", 30_000, () => !processes.some(isAlive));
        await server.startAgain(shortGrace);
        // An embedded database has one process, so orphaned runs end immediately; several nodes wait for missing heartbeats.
        for (const runId of [sleeping, spinning]) {
          const record = await server.finished(runId);
          expect(record).toMatchObject({
            status: "failed",
            error: {
              code:
                dialect === "sqlite"
                  ? "interrupted"
                  : expect.stringMatching(/interrupted|sandbox_lost/),
            },
          });
          const events = await server.call("GET", `/audit-events?target=${runId}`);
          expect(events.body).toHaveLength(1);
        }
        const { body } = await server.call("GET", `/runs/${done.runId}`);
        expect(body).toMatchObject({ status: "completed", output: { slept: 1 } });
        expect((await server.run(name, { ms: 2 })).body.status).toBe("completed");
      },
    );
  });
});
