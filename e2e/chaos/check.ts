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

/** What is looked at when all is quiet. */
export type Scene = {
  outcomes: readonly Outcome[];
  codeStarts: readonly CodeStart[];
  /** How often each run left its mark on the world. */
  effects: ReadonlyMap<string, number>;
  journal: Journal;
  send: Send;
  baseUrls: readonly string[];
  apiKey: string;
  /** Of the service, as far as they say where its database is. */
  settings: Record<string, string>;
};

const listed = runSummary.extend({ input: z.looseObject({ number: z.number() }) });
type Listed = z.infer<typeof listed>;

/** Waits until no run is under way and checks every promise; what is broken is in the journal. */
export async function checkAll(scene: Scene): Promise<void> {
  await checkThings(scene).catch((error: unknown) =>
    scene.journal.complain("the checks can be made", String(error)),
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
      journal.complain("every run ends", `still running: ${JSON.stringify(running)}`);
      return;
    }
    await sleep(250);
  }
}

/** Each order has one run, and there are no others. */
function checkRunsOfOrders({ outcomes, journal }: Scene, runs: readonly Listed[]): void {
  const byNumber = Map.groupBy(runs, ({ input }) => input.number);
  for (const { order, end } of outcomes) {
    const [run, ...others] = byNumber.get(order.number) ?? [];
    const about = `order ${order.number} (${order.kind}, key ${order.key})`;
    if (run === undefined) {
      if (end !== undefined) journal.complain("no run is lost", `${about}: run ${end.runId}`);
      continue;
    }
    if (others.length > 0) {
      const ids = [run, ...others].map(({ runId, status }) => `${runId} ${status}`);
      journal.complain("one run for each key", `${about}: ${ids.join(", ")}`);
    }
    if (run.status === "running") journal.complain("every run ends", `${about}: ${run.runId}`);
    byNumber.delete(order.number);
  }
  for (const [number, strangers] of byNumber) {
    if (outcomes.some(({ order }) => order.number === number)) continue;
    journal.complain("no run comes from nowhere", `number ${number}: ${strangers[0]?.runId}`);
  }
}

/** No code starts twice, but that of tools that say it may, in another attempt. */
function checkCodeStarts({ codeStarts, outcomes, journal }: Scene, runs: readonly Listed[]): void {
  const idempotent = outcomes.find(({ order }) => order.kind === "idempotent")?.order.toolName;
  const starts = Map.groupBy(codeStarts, ({ runId }) => runId);
  for (const run of runs) {
    const all = starts.get(run.runId) ?? [];
    const shown = all.map(({ node, attempt }) => `${node} attempt ${attempt}`).join(", ");
    const allowed = run.toolName === idempotent ? maxAttempts : 1;
    if (all.length > allowed || new Set(all.map(({ attempt }) => attempt)).size < all.length) {
      journal.complain("no run's code starts twice", `run ${run.runId}: ${shown}`);
    }
    if (run.status === "completed" && all.length === 0) {
      journal.complain("what completes was started", `run ${run.runId}`);
    }
    if (all.length > 1) journal.count("runs taken again");
    journal.count(`ended: ${run.status}${run.error === undefined ? "" : ` ${run.error.code}`}`);
  }
}

/** What a tool does to the world, it did once; only tools that say so may have done it in each attempt. */
function checkEffects({ effects, outcomes, journal }: Scene, runs: readonly Listed[]): void {
  const idempotent = outcomes.find(({ order }) => order.kind === "idempotent")?.order.toolName;
  const known = new Set(runs.map(({ runId }) => runId));
  for (const runId of effects.keys()) {
    if (!known.has(runId)) journal.complain("every effect is a run's", runId);
  }
  for (const { runId, toolName, status } of runs) {
    const count = effects.get(runId) ?? 0;
    const most = toolName === idempotent ? maxAttempts : 1;
    if (count > most) journal.complain("no effect happens twice", `run ${runId}: ${count}`);
    if (status === "completed" && count === 0) {
      journal.complain("what completes had its effect", `run ${runId}`);
    }
    journal.count(`effects on the world: ${count}`);
  }
}

/** What the client was told is what the record says, and is the answer to its own input. */
async function checkRecord({ journal }: Scene, reader: Reader, outcome: Outcome): Promise<void> {
  const { order, end } = outcome;
  if (end === undefined) return;
  const read = await reader.read(`/runs/${end.runId}`).catch(String);
  const record = runRecord.safeParse(read);
  const about = `order ${order.number}, run ${end.runId}`;
  if (!record.success) {
    journal.complain("no run is lost", `${about}: ${JSON.stringify(read)}`);
    return;
  }
  const pick = ({ status, output, error }: typeof end) => ({ status, output, error });
  const [told, kept] = [pick(end), pick(record.data)];
  if (!isDeepStrictEqual(told, kept)) {
    const difference = `was told ${JSON.stringify(told)}, kept is ${JSON.stringify(kept)}`;
    journal.complain("the answer is what is kept", `${about} ${difference}`);
  }
  if (end.status === "completed" && !isDeepStrictEqual(end.output, { number: order.number })) {
    journal.complain("the output is the order's", `${about}: ${JSON.stringify(end.output)}`);
  }
}

/** The key answers once more what it answered last. */
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
    journal.complain("a key answers the same bytes", `${about}: ${causeOf(error)}`);
    return;
  }
  const shown = `got ${describeReply(last)}, then ${describeReply(again)}`;
  if (again.status !== 200 || again.text !== last.text) {
    journal.complain("a key answers the same bytes", `${about} ${shown}`);
  } else if (!isDeepStrictEqual(keptHeaders(again), keptHeaders(last))) {
    journal.complain("a key answers the same headers", `${about} ${shown}`);
  }
  if (again.headers["idempotent-replay"] !== "true") {
    journal.complain("a replay says that it is one", about);
  }
  if (answers.some(({ text }) => text !== last.text)) journal.count("keys whose answer changed");
}

/** Headers that belong to the answer and not to the moment or the connection. */
function keptHeaders({ headers }: Reply): Record<string, unknown> {
  const momentary = /^(?:date|x-request-id|idempotent-replay|connection|keep-alive|ratelimit.*)$/;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !momentary.test(name)));
}

function describeReply(reply: Reply): string {
  return `${reply.status} ${JSON.stringify(keptHeaders(reply))} ${reply.text.slice(0, 300)}`;
}

const event = z.object({ target: z.string(), outcome: z.string() });

/** The chain is sound, and each run is one event in it. */
async function checkAudit(
  { journal, settings }: Scene,
  reader: Reader,
  runs: readonly Listed[],
): Promise<void> {
  const verdict = await verifyAudit(settings);
  if (verdict.code !== 0) journal.complain("the audit chain is sound", verdict.printed);
  const found = await reader.readAll("/audit-events?action=run.create&limit=200");
  const events = Map.groupBy(z.array(event).parse(found), ({ target }) => target);
  for (const { runId, status } of runs) {
    const count = events.get(runId)?.length ?? 0;
    if (count !== 1) journal.complain("each run is one event", `${status} run ${runId}: ${count}`);
    events.delete(runId);
  }
  for (const target of events.keys()) journal.complain("each event is a run's", target);
}
