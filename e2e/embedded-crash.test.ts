import { randomUUID } from "node:crypto";
import { cpSync, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { checkAll } from "./chaos/check.ts";
import { readCodeStarts } from "./chaos/code-starts.ts";
import type { CodeStart } from "./chaos/code-starts.ts";
import { serveEffects } from "./chaos/effects.ts";
import type { Effects } from "./chaos/effects.ts";
import { createJournal } from "./chaos/journal.ts";
import type { Journal } from "./chaos/journal.ts";
import { askAll } from "./chaos/load.ts";
import { makeTools } from "./chaos/orders.ts";
import { createRandom } from "./chaos/random.ts";
import { createReader } from "./chaos/rest-reader.ts";
import { createSend } from "./chaos/send.ts";
import { dialect } from "./src/database.ts";
import { findQuietPort } from "./src/postgres-server.ts";
import { proves } from "./src/proves.ts";
import { draftOf, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService, spawnService, whenReady } from "./src/service-process.ts";
import { until } from "./src/until.ts";

const kills = Number(process.env["CRASH_KILLS"] ?? (process.env["TEST_ALL"] === "1" ? 30 : 2));
const clients = 6;
const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 1e6);

const countedBytes = "(select coalesce(sum(bytes), 0) from run_bytes)";
const storedBytes = `(select coalesce(sum(octet_length(input) + coalesce(octet_length(output), 0)
  + coalesce(octet_length(error), 0) + (select coalesce(sum(octet_length(body)), 0)
    from run_logs where run_id = runs.id)), 0) from runs where status <> 'running')`;

describe.skipIf(dialect !== "sqlite")("the embedded database", () => {
  const journal = createJournal();
  const sender = createSend();
  let effects: Effects;
  let server: Server;
  let scratch: string;

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "toolhost-crash-"));
    effects = await serveEffects();
    server = await startServer({
      PORT: String(await findQuietPort()),
      LOG_LEVEL: "debug",
      EGRESS_PRIVATE_HOSTS: effects.privateHost,
    });
  });
  afterAll(async () => {
    sender.close();
    effects?.close();
    await server?.stop();
    await rm(scratch, { recursive: true, force: true });
  });

  /**
   * Checks a copy of the files that the crash left: the database is valid, and the stored sum of the bytes of finished runs
   * is correct.
   */
  const checkFiles = (): string => {
    for (const suffix of ["", "-wal"]) {
      const from = join(server.dataDir, `toolhost.db${suffix}`);
      const to = join(scratch, `copy.db${suffix}`);
      if (existsSync(from)) cpSync(from, to);
    }
    const database = new DatabaseSync(join(scratch, "copy.db"));
    try {
      return JSON.stringify([
        ...database.prepare("pragma integrity_check").all(),
        ...database.prepare(`select ${countedBytes} = ${storedBytes} as is_counted`).all(),
      ]);
    } finally {
      database.close();
    }
  };

  /** Kills and restarts the service repeatedly, every third time before it is ready. */
  const killAgainAndAgain = async (): Promise<CodeStart[]> => {
    const random = createRandom(seed);
    await sleep(500);
    const first = await server.end("SIGKILL");
    const codeStarts = readCodeStarts("embedded", first.stderr);
    for (let count = 1; count < kills; count++) {
      const service = spawnService(server.workDir, server.settings);
      if (count % 3 === 0) await sleep(random.between(0, 500));
      else {
        await whenReady(service);
        await sleep(random.between(0, 600));
      }
      const { stderr } = await endService(service, "SIGKILL");
      codeStarts.push(...readCodeStarts("embedded", stderr));
      expect(checkFiles(), `after kill ${count} of seed ${seed}`).toBe(
        '[{"integrity_check":"ok"},{"is_counted":1}]',
      );
    }
    return codeStarts;
  };

  test(
    `survives ${kills} kills under load: nothing acknowledged is lost, nothing runs twice`,
    {
      ...proves("run.terminal", "run.never_twice", "idempotency.crash", "idempotency.runs_once"),
      timeout: 240_000,
    },
    async () => {
      const { baseUrl, apiKey } = server;
      const tools = await makeTools(server.call, effects);
      let isOver = false;
      let orders = 0;
      const base = { send: sender.send, journal, apiKey };
      const asked = askAll({
        ...base,
        tools,
        baseUrls: [baseUrl],
        clients,
        seed,
        isOver: () => {
          orders += 1;
          return isOver;
        },
        deadline: () => Number.POSITIVE_INFINITY,
      });
      const saved = saveTools(server, journal, () => isOver);
      const codeStarts = await killAgainAndAgain();
      await server.startAgain();
      // On a busy machine the clients get little done between the kills.
      await until("the clients have ordered enough", 120_000, () => orders > kills + 2 * clients);
      isOver = true;
      const outcomes = await asked;
      codeStarts.push(...readCodeStarts("embedded", server.process.printed().stderr));
      const { settings } = server;
      const seen = { outcomes, codeStarts, effects: effects.counts() };
      await checkAll({ ...base, ...seen, baseUrls: [baseUrl], settings });

      const violations = Object.fromEntries(journal.violations());
      expect(violations, `seed ${seed}`).toEqual({});
      const reader = createReader(sender.send, baseUrl, apiKey);
      const all = z.array(tool).parse(await reader.readAll("/tools?limit=200"));
      const names = all.filter(({ title }) => title.startsWith("Saved ")).map(({ name }) => name);
      expect(names.toSorted()).toEqual((await saved).toSorted());
      expect(names.length).toBeGreaterThan(0);
      expect(outcomes.length).toBeGreaterThan(kills);
    },
  );
});

/** Saves tools one after another, and returns the acknowledged names. */
async function saveTools(
  server: Server,
  journal: Journal,
  isOver: () => boolean,
): Promise<string[]> {
  const names: string[] = [];
  while (!isOver()) {
    const draft = { ...draftOf("export default () => ({})"), title: `Saved ${names.length}` };
    const key = { "idempotency-key": randomUUID() };
    for (;;) {
      const answer = await server.call("POST", "/tools", draft, key).catch(() => undefined);
      if (answer?.status === 201) {
        names.push(String(answer.body.name));
        break;
      }
      if (answer !== undefined && ![409, 503].includes(answer.status)) {
        journal.reportViolation("no other refusal", `${answer.status} ${answer.text}`);
      }
      await sleep(100);
    }
    await sleep(100);
  }
  return names;
}
