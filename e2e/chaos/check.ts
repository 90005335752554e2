import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { run as runRecord, runSummary } from "@toolhost/contract";
import { z } from "zod";
import { verifyAudit } from "../src/verify-audit.ts";
import { orderMessage } from "./client.ts";
import type { Outcome } from "./client.ts";
import type { CodeStart } from "./code-starts.ts";
import type { Journal } from "./journal.ts";
import { createReader, inParallel } from "./rest-reader.ts";
import type { Reader } from "./rest-reader.ts";
import { causeOf } from "./send.ts";
import type { Reply, Send } from "./send.ts";

const width = 12;
const quietLimitMs = 60_000;
const maxAttempts = 3;

/** The data that the checks use when no run is in progress. */
export type Scene = {
  outcomes: readonly Outcome[];
  codeStarts: readonly CodeStart[];
  /** How often each run had its external effect. */
  effects: ReadonlyMap<string, number>;
  journal: Journal;
  send: Send;
  baseUrls: readonly string[];
  apiKey: string;
  /** The service's environment variables that locate its database. */
  settings: Record<string, string>;
};

const listed = runSummary.extend({ input: z.looseObject({ number: z.number() }) });
type Listed = z.infer<typeof listed>;

/** Waits until no run is in progress, checks every guarantee, and records violations in the journal. */
export async function checkAll(scene: Scene): Promise<void> {
  await checkThings(scene).catch((error: unknown) =>
    scene.journal.reportViolation("the checks can run", String(error)),
  );
}

async function checkThings(scene: Scene): Promise<void> {
  const [baseUrl = ""] = scene.baseUrls;
  const reader = createReader(scene.send, baseUrl, scene.apiKey);
  await awaitQuiet(scene.journal, reader);
  const runs = z.array(listed).parse(await reader.readAll("/runs?limit=200"));
  checkRunsOfOrders(scene, runs);
  checkCodeStarts(scene, runs);
  checkEffects(scene, runs);
  await inParallel(scene.outcomes, width, (outcome) => checkRecord(scene, reader, outcome));
  await inParallel(scene.outcomes, width, (outcome, index) => checkReplay(scene, outcome, index));
  await checkAudit(scene, reader, runs);
}

async function awaitQuiet(journal: Journal, reader: Reader): Promise<void> {
  const deadline = performance.now() + quietLimitMs;
  for (;;) {
    const running = await reader.readAll("/runs?status=running&limit=200");
    if (running.length === 0) return;
    if (performance.now() > deadline) {
      journal.reportViolation("every run ends", `still running: ${JSON.stringify(running)}`);
      return;
    }
    await sleep(250);
  }
}

/** Checks that each order has one run, and that there are no others. */
function checkRunsOfOrders({ outcomes, journal }: Scene, runs: readonly Listed[]): void {
  const byNumber = Map.groupBy(runs, ({ input }) => input.number);
  for (const { order, end } of outcomes) {
    const [run, ...others] = byNumber.get(order.number) ?? [];
    const about = `order ${order.number} (${order.kind}, key ${order.key})`;
    if (run === undefined) {
      if (end !== undefined)
        journal.reportViolation("no run is lost", `${about}: run ${end.runId}`);
      continue;
    }
    if (others.length > 0) {
      const ids = [run, ...others].map(({ runId, status }) => `${runId} ${status}`);
      journal.reportViolation("one run for each key", `${about}: ${ids.join(", ")}`);
    }
    if (run.status === "running")
      journal.reportViolation("every run ends", `${about}: ${run.runId}`);
    byNumber.delete(order.number);
  }
  for (const [number, strangers] of byNumber) {
    if (outcomes.some(({ order }) => order.number === number)) continue;
    journal.reportViolation(
      "every run belongs to an order",
      `number ${number}: ${strangers[0]?.runId}`,
    );
  }
}

/** Checks that no run's code starts twice, except further attempts of idempotent tools. */
function checkCodeStarts({ codeStarts, outcomes, journal }: Scene, runs: readonly Listed[]): void {
  const idempotent = outcomes.find(({ order }) => order.kind === "idempotent")?.order.toolName;
  const starts = Map.groupBy(codeStarts, ({ runId }) => runId);
  for (const run of runs) {
    const all = starts.get(run.runId) ?? [];
    const shown = all.map(({ node, attempt }) => `${node} attempt ${attempt}`).join(", ");
    const allowed = run.toolName === idempotent ? maxAttempts : 1;
    if (all.length > allowed || new Set(all.map(({ attempt }) => attempt)).size < all.length) {
      journal.reportViolation("no run's code starts twice", `run ${run.runId}: ${shown}`);
    }
    if (run.status === "completed" && all.length === 0) {
      journal.reportViolation("completed runs have started", `run ${run.runId}`);
    }
    if (all.length > 1) journal.count("restarted runs");
    journal.count(`ended: ${run.status}${run.error === undefined ? "" : ` ${run.error.code}`}`);
  }
}

/** Checks that each run had its external effect once, or at most once per attempt for idempotent tools. */
function checkEffects({ effects, outcomes, journal }: Scene, runs: readonly Listed[]): void {
  const idempotent = outcomes.find(({ order }) => order.kind === "idempotent")?.order.toolName;
  const known = new Set(runs.map(({ runId }) => runId));
  for (const runId of effects.keys()) {
    if (!known.has(runId)) journal.reportViolation("every effect belongs to a run", runId);
  }
  for (const { runId, toolName, status } of runs) {
    const count = effects.get(runId) ?? 0;
    const most = toolName === idempotent ? maxAttempts : 1;
    if (count > most) journal.reportViolation("no effect happens twice", `run ${runId}: ${count}`);
    if (status === "completed" && count === 0) {
      journal.reportViolation("completed runs had their effect", `run ${runId}`);
    }
    journal.count(`external effects: ${count}`);
  }
}

/** Checks that the client's response matches the run's record and its own input. */
async function checkRecord({ journal }: Scene, reader: Reader, outcome: Outcome): Promise<void> {
  const { order, end } = outcome;
  if (end === undefined) return;
  const read = await reader.read(`/runs/${end.runId}`).catch(String);
  const record = runRecord.safeParse(read);
  const about = `order ${order.number}, run ${end.runId}`;
  if (!record.success) {
    journal.reportViolation("no run is lost", `${about}: ${JSON.stringify(read)}`);
    return;
  }
  const pick = ({ status, output, error }: typeof end) => ({ status, output, error });
  const [received, stored] = [pick(end), pick(record.data)];
  if (!isDeepStrictEqual(received, stored)) {
    const difference = `received ${JSON.stringify(received)}, stored is ${JSON.stringify(stored)}`;
    journal.reportViolation("the response matches the record", `${about} ${difference}`);
  }
  if (end.status === "completed" && !isDeepStrictEqual(end.output, { number: order.number })) {
    journal.reportViolation(
      "the output belongs to the order",
      `${about}: ${JSON.stringify(end.output)}`,
    );
  }
}

/** Checks that the key returns its last response again. */
async function checkReplay(scene: Scene, outcome: Outcome, index: number): Promise<void> {
  const { journal, baseUrls } = scene;
  const { order, answers } = outcome;
  const last = answers.at(-1);
  if (last === undefined) return;
  const baseUrl = baseUrls[index % baseUrls.length] ?? "";
  const message = { ...orderMessage(scene.apiKey, order), timeoutMs: 60_000 };
  const about = `order ${order.number}, key ${order.key}`;
  let again: Reply;
  try {
    again = await scene.send(baseUrl, message);
  } catch (error) {
    journal.reportViolation("a key replays the same body", `${about}: ${causeOf(error)}`);
    return;
  }
  const shown = `got ${describeReply(last)}, then ${describeReply(again)}`;
  if (again.status !== 200 || again.text !== last.text) {
    journal.reportViolation("a key replays the same body", `${about} ${shown}`);
  } else if (!isDeepStrictEqual(stableHeaders(again), stableHeaders(last))) {
    journal.reportViolation("a key replays the same headers", `${about} ${shown}`);
  }
  if (again.headers["idempotent-replay"] !== "true") {
    journal.reportViolation("a replay is marked as such", about);
  }
  if (answers.some(({ text }) => text !== last.text)) journal.count("keys whose response changed");
}

/** The response headers that do not depend on the time or the connection. */
function stableHeaders({ headers }: Reply): Record<string, unknown> {
  const momentary = /^(?:date|x-request-id|idempotent-replay|connection|keep-alive|ratelimit.*)$/;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !momentary.test(name)));
}

function describeReply(reply: Reply): string {
  return `${reply.status} ${JSON.stringify(stableHeaders(reply))} ${reply.text.slice(0, 300)}`;
}

const event = z.object({ target: z.string(), outcome: z.string() });

/** Checks that the audit chain is valid, and that it contains one event for each run. */
async function checkAudit(
  { journal, settings }: Scene,
  reader: Reader,
  runs: readonly Listed[],
): Promise<void> {
  const verdict = await verifyAudit(settings);
  if (verdict.code !== 0) journal.reportViolation("the audit chain is valid", verdict.printed);
  const found = await reader.readAll("/audit-events?action=run.create&limit=200");
  const events = Map.groupBy(z.array(event).parse(found), ({ target }) => target);
  for (const { runId, status } of runs) {
    const count = events.get(runId)?.length ?? 0;
    if (count !== 1)
      journal.reportViolation("each run has one audit event", `${status} run ${runId}: ${count}`);
    events.delete(runId);
  }
  for (const target of events.keys())
    journal.reportViolation("each audit event belongs to a run", target);
}
