import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkAll } from "./chaos/check.ts";
import { serveEffects } from "./chaos/effects.ts";
import type { Effects } from "./chaos/effects.ts";
import { startFleet } from "./chaos/fleet.ts";
import type { Fleet } from "./chaos/fleet.ts";
import { createJournal } from "./chaos/journal.ts";
import type { Journal } from "./chaos/journal.ts";
import { askAll } from "./chaos/load.ts";
import { makeTools } from "./chaos/orders.ts";
import { createSend } from "./chaos/send.ts";
import { createDatabase, dialect } from "./src/database.ts";
import { createCall } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { signUpOwner } from "./src/server.ts";

const isFull = process.env["TEST_ALL"] === "1";

describe.skipIf(dialect !== "postgres")("nodes that are restarted one after another", () => {
  let journal: Journal;
  let sender: ReturnType<typeof createSend>;
  let workDir: string;
  let fleet: Fleet;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let effects: Effects;

  beforeEach(async () => {
    journal = createJournal();
    sender = createSend();
    effects = await serveEffects();
    workDir = await mkdtemp(join(tmpdir(), "toolhost-rolling-"));
    database = await createDatabase();
    fleet = await startFleet({
      count: isFull ? 3 : 2,
      workDir,
      databaseUrl: database?.url ?? "",
      settings: { SHUTDOWN_GRACE_MS: "60000", EGRESS_PRIVATE_HOSTS: effects.privateHost },
      onCrash: (name, printed) =>
        journal.reportViolation("nodes do not crash", `${name}: ${printed}`),
    });
  });
  afterEach(async () => {
    sender?.close();
    effects?.close();
    await fleet?.stop();
    await database?.drop();
    await rm(workDir, { recursive: true, force: true });
  });

  test(
    "loses no run, and clients get only errors that say when to retry",
    {
      ...proves("stop.refuses", "stop.grace", "stop.exit_code", "run.terminal", "run.never_twice"),
      timeout: 400_000,
    },
    async () => {
      const { apiKey } = await signUpOwner(fleet.publicUrl);
      const call = createCall(
        () => fleet.publicUrl,
        () => ({ authorization: `Bearer ${apiKey}` }),
      );
      const tools = await makeTools(call, effects);
      const baseUrls = fleet.nodes.map(({ baseUrl }) => baseUrl);
      let isOver = false;
      const asked = askAll({
        send: sender.send,
        journal,
        apiKey,
        tools,
        baseUrls,
        clients: isFull ? 8 : 4,
        isPatient: true,
        seed: 1,
        isOver: () => isOver,
        deadline: () => Number.POSITIVE_INFINITY,
      });
      const exits = [];
      for (const node of fleet.nodes) {
        await sleep(1_500);
        const { code, signal } = await node.end("SIGTERM");
        exits.push({ code, signal });
        await node.start();
      }
      await sleep(1_500);
      isOver = true;
      const outcomes = await asked;
      const settings = { DATABASE_URL: database?.url ?? "" };
      const codeStarts = fleet.codeStarts();
      const scene = { outcomes, codeStarts, journal, apiKey, baseUrls, settings };
      await checkAll({ ...scene, effects: effects.counts(), send: sender.send });

      expect(Object.fromEntries(journal.violations())).toEqual({});
      expect(exits).toEqual(exits.map(() => ({ code: 0, signal: null })));
      const seen = [...journal.counts().keys()];
      expect(
        seen.filter((what) => /^(?:retry|poll failed): /.test(what) && !mild.test(what)),
      ).toEqual([]);
      // No run was interrupted.
      expect(seen.filter((what) => what.startsWith("ended: ")).toSorted()).toEqual([
        "ended: completed",
        "ended: failed tool_error",
      ]);
      expect(outcomes.length).toBeGreaterThan(0);
    },
  );
});

/** Errors that clients of a stopping node may get: no connection, a broken one, or a 503. */
const mild = /: (?:ECONNREFUSED|ECONNRESET|EPIPE|503 unavailable|409 idempotency_in_flight)$/;
