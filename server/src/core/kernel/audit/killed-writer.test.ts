import { randomUUID } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killAfter } from "#testing/killed-process";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { acquireTaskLock } from "#core/kernel";
import { mergeSegments } from "./merge-segments.ts";
import { sealEvents } from "./seal-events.ts";
import { verifyChain } from "./verify-chain.ts";

const dayMs = 86_400_000;
const step = process.env["TEST_ALL"] === "1" ? 1 : 3;
/** The commit is the eighth statement, or a later one. */
const minKills = Math.floor(8 / step);
/** More than sealing and merging take. */
const maxStatements = 30;
let test: TestService;
let tool: string;

beforeAll(async () => {
  test = await startTestService({ AUDIT_SEAL_INTERVAL_MS: "60000" });
  // The service itself would merge at any time.
  await acquireTaskLock(db(), { name: "retention", nodeId: "test", lockMs: dayMs });
  tool = await test.makeTool("export default ({ number }) => ({ number })");
});
afterAll(() => test.stop());

const db = () => test.service.context.db;

/** Starts the work on the database of the service in a process that is killed after this number of statements. */
function killWriterAfter(statements: number, work: "merge" | "seal"): Promise<string | null> {
  const { DATABASE_URL: url, dataDir } = test.service.context.config;
  return killAfter(statements, work, url ?? join(dataDir, "toolhost.db"));
}

type KeyedRun = { runId: string; key: string; number: number; text: string };

async function runTool(number: number): Promise<KeyedRun> {
  const key = randomUUID();
  const { status, body, text } = await send(number, key);
  expect(status).toBe(200);
  return { runId: String(body.runId), key, number, text };
}

const send = (number: number, key: string) =>
  test.call("POST", `/run/${tool}`, { number }, { "idempotency-key": key });

async function targetsOfEvents(): Promise<string[]> {
  const targets: string[] = [];
  for (let cursor = ""; ;) {
    const path = `/audit-events?action=run.create&limit=200${cursor}`;
    const { body, headers } = await test.call("GET", path);
    targets.push(...(body as { target: string }[]).map(({ target }) => target));
    const next = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    if (next === undefined) return targets.toSorted();
    cursor = `&cursor=${next}`;
  }
}

/** Checks that the chain is valid, that each run has one event, and that each key replays its response. */
async function expectAll(runs: readonly KeyedRun[], about: string): Promise<void> {
  const { isSound } = await verifyChain(db(), test.workspaceId);
  const replays = [];
  for (const { number, key } of runs.slice(-3)) {
    const { text, headers } = await send(number, key);
    replays.push({ text, isReplay: headers.get("idempotent-replay") });
  }
  expect({ about, targets: await targetsOfEvents(), isSound, replays }).toEqual({
    about,
    targets: runs.map(({ runId }) => runId).toSorted(),
    isSound: true,
    replays: runs.slice(-3).map(({ text }) => ({ text, isReplay: "true" })),
  });
}

const countSegments = async () =>
  (
    await db()
      .kysely.selectFrom("audit_segments")
      .select("last_sequence")
      .where("workspace_id", "=", test.workspaceId)
      .execute()
  ).length;

describe("a process that is killed after one of its statements", { timeout: 300_000 }, () => {
  it("loses and repeats no event while it seals", async () => {
    const runs: KeyedRun[] = [];
    await sealEvents(db());
    let kills = 0;
    for (let count = step; count <= maxStatements; count += step) {
      runs.push(await runTool(count), await runTool(count));
      const signal = await killWriterAfter(count, "seal");
      await expectAll(runs, `killed after ${count} statements`);
      // The service may have sealed these events itself.
      if (signal === null && kills >= minKills) break;
      kills += 1;
      await sealEvents(db());
      await expectAll(runs, `sealed again after ${count} statements`);
    }
    expect(kills).toBeLessThan(maxStatements / step);
  });

  it("loses and repeats no event while it merges", async () => {
    const runs: KeyedRun[] = (await targetsOfEvents()).map((runId) => ({
      runId,
      key: "",
      number: 0,
      text: "",
    }));
    await mergeSegments(db(), Date.now() + 3 * dayMs);
    let kills = 0;
    let mergedCount = 0;
    for (let count = step; count <= maxStatements; count += step) {
      for (const number of [1, 2, 3]) {
        runs.push(await runTool(number));
        await sealEvents(db());
      }
      const before = await countSegments();
      const signal = await killWriterAfter(count, "merge");
      await expectAll(runs, `killed after ${count} statements`);
      mergedCount = before - (await countSegments());
      if (signal === null && kills >= minKills) break;
      kills += 1;
      await mergeSegments(db(), Date.now() + 3 * dayMs);
      await expectAll(runs, `merged again after ${count} statements`);
    }
    expect(mergedCount).toBeGreaterThan(0);
    expect(kills).toBeLessThan(maxStatements / step);
  });
});
