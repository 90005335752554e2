import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { restoreBackup } from "../server/src/backup/restore-backup.ts";
import { readConfig } from "../server/src/config.ts";
import { createRandom } from "./chaos/random.ts";
import { dialect } from "./src/database.ts";
import { createCall } from "./src/http.ts";
import { programPath } from "./src/program.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService, spawnService, whenReady } from "./src/service-process.ts";

const seed = Number(process.env["BACKUP_SEED"] ?? Date.now() % 1e6);
const isFull = process.env["TEST_ALL"] === "1";
const backupCount = isFull ? 10 : 2;
const killCount = isFull ? 5 : 1;

type Done = { code: number | null; printed: string };

/** Runs a command on a data folder. With `killWhen` it is killed without a warning once that is true. */
async function runScript(
  name: "backup" | "restore",
  folder: string,
  settings: Record<string, string>,
  killWhen?: () => boolean,
): Promise<Done> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [programPath(name), folder], {
    cwd: "/",
    env: { PATH, NODE_COMPILE_CACHE, ...settings },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (printed += String(chunk)));
  }
  const closed = once(child, "close");
  if (killWhen !== undefined) {
    while (child.exitCode === null && child.signalCode === null && !killWhen()) await sleep(1);
    child.kill("SIGKILL");
  }
  await closed;
  return { code: child.exitCode, printed };
}

/** True once so many milliseconds have passed since a path appeared. */
function after(path: string, ms: number): () => boolean {
  let since: number | undefined;
  return () => {
    if (since === undefined && existsSync(path)) since = performance.now();
    return since !== undefined && performance.now() - since >= ms;
  };
}

/** Writes that the service has acknowledged: the IDs of completed runs and of uploaded files. */
type Acknowledged = { runs: string[]; files: string[] };

const nothing: Acknowledged = { runs: [], files: [] };

/** Runs a tool and uploads files from several clients until `isOver`. */
async function writeUntil(
  server: Server,
  tool: string,
  acknowledged: Acknowledged,
  isOver: () => boolean,
): Promise<void> {
  const client = async (index: number) => {
    for (let count = 0; !isOver(); count++) {
      if (index === 0) {
        const body = { fileName: "a.txt", mimeType: "text/plain", contentBase64: "aGVsbG8=" };
        const answer = await server.call("POST", "/upload", body);
        acknowledged.files.push(String(expectStatus(201, answer).body.fileId));
      } else {
        const answer = await server.run(tool, { text: randomUUID().repeat(50) });
        acknowledged.runs.push(String(expectStatus(200, answer).body.runId));
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, (_, index) => client(index)));
}

/** What a restored data folder lacks of the acknowledged writes. */
function findLosses(dataDir: string, workspaceId: string, { runs, files }: Acknowledged): string[] {
  const database = new DatabaseSync(join(dataDir, "toolhost.db"), { readOnly: true });
  try {
    const ids = (text: string) =>
      new Set(
        database
          .prepare(text)
          .all()
          .map(({ id }) => id),
      );
    const storedRuns = ids("select id from runs where status = 'completed'");
    const storedFiles = ids("select id from files where status = 'ready'");
    return [
      ...database
        .prepare("pragma integrity_check")
        .all()
        .flatMap(({ integrity_check: found }) => (found === "ok" ? [] : [String(found)])),
      ...runs.filter((id) => !storedRuns.has(id)).map((id) => `run ${id}`),
      ...files
        .filter(
          (id) => !storedFiles.has(id) || !existsSync(join(dataDir, "files", workspaceId, id)),
        )
        .map((id) => `file ${id}`),
    ];
  } finally {
    database.close();
  }
}

describe.skipIf(dialect !== "sqlite")("a backup of an embedded database", () => {
  let server: Server;
  let tool: string;
  let scratch: string;
  let settings: Record<string, string>;

  beforeAll(async () => {
    server = await startServer();
    tool = await server.makeTool("export default (input) => input");
    settings = { DATA_DIR: server.dataDir };
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    scratch = await mkdtemp(join(tmpdir(), "toolhost-backup-e2e-"));
  });
  afterEach(() => rm(scratch, { recursive: true }));

  test(
    `contains everything acknowledged before it, ${backupCount} times under load`,
    { ...proves("backup.live", "backup.verified"), timeout: 600_000 },
    async () => {
      const acknowledged: Acknowledged = { runs: [], files: [] };
      const backups: { folder: string; before: Acknowledged }[] = [];
      let isOver = false;
      const writing = writeUntil(server, tool, acknowledged, () => isOver);
      for (let count = 0; count < backupCount; count++) {
        const folder = join(scratch, `backup-${count}`);
        const before = { runs: [...acknowledged.runs], files: [...acknowledged.files] };
        const done = await runScript("backup", folder, settings);
        expect(done, done.printed).toMatchObject({ code: 0 });
        backups.push({ folder, before });
      }
      isOver = true;
      await writing;
      expect(acknowledged.runs.length).toBeGreaterThan(10 * backupCount);
      for (const [index, { folder, before }] of backups.entries()) {
        const dataDir = join(scratch, `restored-${index}`);
        await restoreBackup(readConfig({ DATA_DIR: dataDir }), folder);
        expect(findLosses(dataDir, server.workspaceId, before)).toEqual([]);
      }
      const dataDir = join(scratch, `restored-${backupCount - 1}`);
      const service = await whenReady(
        spawnService(scratch, { ...server.settings, DATA_DIR: dataDir }),
      );
      const call = createCall(
        () => service.baseUrl,
        () => ({ authorization: `Bearer ${server.apiKey}` }),
      );
      const run = `/runs/${backups.at(-1)?.before.runs.at(-1)}`;
      expect(expectStatus(200, await call("GET", run)).body.status).toBe("completed");
      const again = await call("POST", `/run/${tool}`, { n: 1 }, { prefer: "wait=55" });
      expect(expectStatus(200, again).body.output).toEqual({ n: 1 });
      await endService(service, "SIGTERM");
    },
  );

  test(
    "does not start on half of a restore, whenever the restore is killed",
    { ...proves("backup.atomic"), timeout: 600_000, tags: ["nightly"] },
    async () => {
      const contentBase64 = Buffer.alloc(700_000, 1).toString("base64");
      for (let count = 0; count < 16; count++) {
        const body = { fileName: "b.bin", mimeType: "application/x", contentBase64 };
        expectStatus(201, await server.call("POST", "/upload", body));
      }
      const folder = join(scratch, "backup");
      expect(await runScript("backup", folder, settings)).toMatchObject({ code: 0 });
      const dataDir = join(scratch, "restored");
      const marker = join(dataDir, "restore.incomplete");
      const random = createRandom(seed);
      for (let count = 0; count < killCount; count++) {
        const killWhen = after(marker, random.between(0, 300));
        await runScript("restore", folder, { DATA_DIR: dataDir }, killWhen);
        if (!existsSync(marker)) {
          expect(findLosses(dataDir, server.workspaceId, nothing)).toEqual([]);
          await rm(dataDir, { recursive: true });
          continue;
        }
        const service = spawnService(scratch, { ...server.settings, DATA_DIR: dataDir });
        const { code, stderr } = await service.exited;
        expect(code, `seed ${seed}`).toBe(1);
        expect(stderr).toMatch(/^A restore into the data folder .* was interrupted\. .*\n$/);
      }
      await runScript("restore", folder, { DATA_DIR: dataDir }, after(marker, 0));
      expect(await runScript("restore", folder, { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
      expect(findLosses(dataDir, server.workspaceId, nothing)).toEqual([]);
    },
  );

  test(
    "is complete or refused, whenever the backup is killed",
    { ...proves("backup.atomic"), timeout: 600_000 },
    async () => {
      const random = createRandom(seed);
      for (let count = 0; count < killCount; count++) {
        const folder = join(scratch, `backup-${count}`);
        const killWhen = after(folder, random.between(0, 600));
        await runScript("backup", folder, settings, killWhen);
        const config = readConfig({ DATA_DIR: join(scratch, `restored-${count}`) });
        const restored = restoreBackup(config, folder);
        if (existsSync(join(folder, "manifest.json"))) await restored;
        else await expect(restored).rejects.toThrow("is not a complete backup");
      }
    },
  );
});

test.skipIf(dialect !== "postgres")(
  "names the tools of PostgreSQL for backup and restore",
  proves("backup.postgres"),
  async () => {
    const scratch = await mkdtemp(join(tmpdir(), "toolhost-backup-e2e-"));
    const settings = { DATABASE_URL: "postgres://127.0.0.1:1/none", DATA_DIR: scratch };
    for (const name of ["backup", "restore"] as const) {
      const done = await runScript(name, join(scratch, "folder"), settings);
      expect(done.code).toBe(1);
      expect(done.printed).toContain("pg_dump");
      expect(done.printed).toContain("docs/operate/back-up.md");
    }
    expect(await readdir(scratch)).toEqual([]);
    await rm(scratch, { recursive: true });
  },
);
