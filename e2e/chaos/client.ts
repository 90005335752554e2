import { setTimeout as sleep } from "node:timers/promises";
import { problem, run as runRecord, runResult } from "@toolhost/contract";
import type { RunResult } from "@toolhost/contract";
import type { Journal } from "./journal.ts";
import type { Order } from "./orders.ts";
import type { Random } from "./random.ts";
import { causeOf } from "./send.ts";
import type { Reply, Send } from "./send.ts";

/** The end of a run, as the client received it. */
type End = Pick<RunResult, "runId" | "status" | "output" | "error">;

/** The outcome of an order. */
export type Outcome = {
  order: Order;
  /** Every response with status 200 to the order, in order of arrival. */
  answers: Reply[];
  /** The end of the run, from a response or from polling. */
  end: End | undefined;
  /** From the first request to the end of the run, in milliseconds. */
  tookMs: number;
};

/** The context of a client. */
export type ClientContext = {
  send: Send;
  baseUrls: readonly string[];
  apiKey: string;
  journal: Journal;
  random: Random;
  /** Whether clients wait for each response. Otherwise they sometimes send the request again before it arrives. */
  isPatient?: boolean;
  /** The deadline, in terms of `performance.now()`. */
  deadline: () => number;
};

const refusalsToRetry = new Set(["idempotency_in_flight", "unavailable"]);

/** Sends a request with one key to one node after another, until there is a response and the run has ended. */
export async function carryOut(context: ClientContext, order: Order): Promise<Outcome> {
  const { journal } = context;
  const outcome: Outcome = { order, answers: [], end: undefined, tookMs: 0 };
  const startedAt = performance.now();
  const first = context.random.between(0, context.baseUrls.length - 1);
  const ask = (turn: number) => askOnce(context, outcome, nodeAt(context, first + turn));
  let result: RunResult | undefined;
  for (let turn = 0; result === undefined && performance.now() < context.deadline(); turn++) {
    const answers =
      order.isDoubled && turn === 0 ? await Promise.all([ask(0), ask(1)]) : [await ask(turn)];
    const results = answers.flatMap((answer) => ("result" in answer ? [answer.result] : []));
    result = results.at(-1);
    if (new Set(results.map(({ runId }) => runId)).size > 1) {
      journal.reportViolation("one run for each key", `order ${order.number} returned two runs`);
    }
    const pauseMs = Math.max(
      ...answers.map((answer) => ("pauseMs" in answer ? answer.pauseMs : 0)),
    );
    if (result === undefined) await sleep(pauseMs);
  }
  if (result === undefined) {
    journal.reportViolation(
      "every order gets a response",
      `order ${order.number} (${order.key}) got none`,
    );
    return outcome;
  }
  outcome.end = result.status === "running" ? await awaitEnd(context, result.runId) : result;
  outcome.tookMs = performance.now() - startedAt;
  return outcome;
}

async function askOnce(
  context: ClientContext,
  outcome: Outcome,
  baseUrl: string,
): Promise<{ result: RunResult } | { pauseMs: number }> {
  const { journal, random } = context;
  const { order } = outcome;
  journal.count("requests");
  let reply: Reply;
  try {
    reply = await context.send(baseUrl, {
      ...orderMessage(context.apiKey, order),
      timeoutMs: choosePatience(context),
    });
  } catch (error) {
    journal.count(`retry: ${causeOf(error)}`);
    return { pauseMs: random.between(20, 300) };
  }
  if (reply.status !== 200) return { pauseMs: judgeRefusal(journal, reply) };
  const parsed = runResult.safeParse(parseJson(reply.text));
  if (!parsed.success) {
    journal.reportViolation(
      "a response is a run",
      `order ${order.number}: ${reply.text.slice(0, 300)}`,
    );
    return { pauseMs: 500 };
  }
  outcome.answers.push(reply);
  return { result: parsed.data };
}

function choosePatience({ random, isPatient }: ClientContext): number {
  if (isPatient === true) return 90_000;
  return random.next() < 0.7 ? random.between(3_000, 8_000) : 32_000;
}

/** The request of an order, which is always the same. */
export function orderMessage(apiKey: string, order: Order) {
  return {
    method: "POST" as const,
    path: `/api/v1/run/${order.toolName}`,
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": order.key,
      ...(order.prefer === undefined ? {} : { prefer: order.prefer }),
    },
    body: order.body,
  };
}

/**
 * Records an error response, and a violation if a correct client must never receive it. Returns how long to wait before
 * the retry.
 */
function judgeRefusal(journal: Journal, { status, headers, text }: Reply): number {
  const parsed = problem.safeParse(parseJson(text));
  const code = parsed.success ? parsed.data.code : "no problem document";
  journal.count(`retry: ${status} ${code}`);
  if (!refusalsToRetry.has(code)) {
    journal.reportViolation("no unexpected errors", `${status} ${text.slice(0, 300)}`);
  }
  const retryAfter = Number(headers["retry-after"]);
  if (!(retryAfter >= 0)) {
    journal.reportViolation("errors state when to retry", `${status} ${text.slice(0, 300)}`);
  }
  // Waits less than requested, so that the test contains more retries.
  return Math.min(1_000, Math.max(50, retryAfter * 500 || 50));
}

async function awaitEnd(context: ClientContext, runId: string): Promise<End | undefined> {
  const { journal, random } = context;
  for (let turn = random.between(0, 9); performance.now() < context.deadline(); turn++) {
    try {
      const reply = await context.send(nodeAt(context, turn), {
        method: "GET",
        path: `/api/v1/runs/${runId}`,
        headers: { authorization: `Bearer ${context.apiKey}` },
        timeoutMs: 8_000,
      });
      journal.count("polls");
      if (reply.status === 200) {
        const record = runRecord.parse(parseJson(reply.text));
        if (record.status !== "running") return record;
      } else if (reply.status !== 503) {
        journal.reportViolation("an accepted run has a record", `${reply.status} for run ${runId}`);
      }
    } catch (error) {
      journal.count(`poll failed: ${causeOf(error)}`);
    }
    await sleep(random.between(50, 300));
  }
  journal.reportViolation(
    "every run ends",
    `run ${runId} did not end before its client's deadline`,
  );
  return undefined;
}

function nodeAt({ baseUrls }: ClientContext, turn: number): string {
  const baseUrl = baseUrls[turn % baseUrls.length];
  if (baseUrl === undefined) throw new Error("There are no nodes");
  return baseUrl;
}

/** Parses JSON. Returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
