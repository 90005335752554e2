import { Counter, Histogram, Registry } from "prom-client";
import { createRanking } from "./ranking.ts";
import type { Ranked } from "./ranking.ts";

/** A run whose end was just written. */
export type EndedRun = {
  workspaceId: string;
  /** Undefined for a draft, which is no tool yet. */
  toolName: string | undefined;
  outcome: "completed" | "failed" | "cancelled";
  /** The code of its error. */
  code: string | undefined;
  /** How long the tool executed, and how long it waited for a sandbox process; undefined if unknown. */
  durationMs?: number | undefined;
  sandboxWaitMs?: number | undefined;
};

/** Measures what happens inside the core and the database. `metrics` adds what can be read from outside. */
export type Meter = {
  registry: Registry;
  /** A run left the queue, or did not have to wait in it. */
  runStarted(queueMs: number): void;
  runEnded(run: EndedRun): void;
  /** A statement of the database, or a transaction, ended. */
  statementEnded(ms: number): void;
  /** A statement of the database got a connection. */
  connectionTaken(waitMs: number): void;
  /** A request for embeddings ended. */
  embeddingsEnded(request: { use: "query" | "tool"; isOk: boolean; ms: number }): void;
  /** A request to a webhook ended. */
  webhookAttempted(attempt: { outcome: "delivered" | "retry" | "dead"; ms: number }): void;
  /** Runs by workspace, and by tool. */
  topWorkspaces(count: number): Ranked<{ workspace: string }>[];
  topTools(count: number): Ranked<{ workspace: string; tool: string }>[];
};

const maxRanked = 2_000;
/** Codes of runs that fail because of the service. */
const serviceCodes = new Set(["interrupted", "sandbox_lost"]);
const short = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const long = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];

export function createMeter(): Meter {
  const registry = new Registry();
  const histogram = (name: string, help: string, buckets: number[]) => {
    const created = new Histogram({
      name: `toolhost_${name}`,
      help,
      buckets,
      registers: [registry],
    });
    return (ms: number) => created.observe(ms / 1_000);
  };
  const runs = new Counter({
    name: "toolhost_runs_total",
    help: "Runs that ended, by outcome (completed, failed, cancelled) and error code.",
    labelNames: ["outcome", "code"],
    registers: [registry],
  });
  // A counter that starts at its first increment hides that increment from Prometheus.
  for (const code of serviceCodes) runs.inc({ outcome: "failed", code }, 0);
  const observeDuration = histogram("run_duration_seconds", "Execution time of runs.", long);
  const observeLease = histogram(
    "run_sandbox_wait_seconds",
    "Time that runs waited for a sandbox process.",
    long,
  );
  const workspaces = createRanking<{ workspace: string }>(maxRanked);
  const tools = createRanking<{ workspace: string; tool: string }>(maxRanked);
  return {
    registry,
    runStarted: histogram(
      "run_queue_seconds",
      "Time that runs spent in the queue before they started; 0 for those that were not queued.",
      long,
    ),
    runEnded: ({ workspaceId, toolName, outcome, code = "", durationMs, sandboxWaitMs }) => {
      runs.inc({ outcome, code });
      if (durationMs !== undefined) observeDuration(durationMs);
      if (sandboxWaitMs !== undefined) observeLease(sandboxWaitMs);
      const end = serviceCodes.has(code) ? "lost" : outcome;
      workspaces.note(workspaceId, { workspace: workspaceId }, end);
      if (toolName === undefined) return;
      const labels = { workspace: workspaceId, tool: toolName };
      tools.note(`${workspaceId} ${toolName}`, labels, end);
    },
    statementEnded: histogram(
      "database_statement_duration_seconds",
      "Time of statements and transactions, including the wait for a connection.",
      short,
    ),
    connectionTaken: histogram(
      "database_connection_wait_seconds",
      "Time that statements and transactions waited for a connection of the pool.",
      short,
    ),
    embeddingsEnded: observeEmbeddings(registry),
    webhookAttempted: observeWebhooks(registry),
    topWorkspaces: (count) => workspaces.top(count),
    topTools: (count) => tools.top(count),
  };
}

function observeWebhooks(registry: Registry): Meter["webhookAttempted"] {
  const durations = new Histogram({
    name: "toolhost_webhook_attempt_duration_seconds",
    help: "Time of requests to webhooks, by outcome (delivered, retry, dead).",
    labelNames: ["outcome"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  });
  return ({ outcome, ms }) => durations.observe({ outcome }, ms / 1_000);
}

function observeEmbeddings(registry: Registry): Meter["embeddingsEnded"] {
  const durations = new Histogram({
    name: "toolhost_embeddings_request_duration_seconds",
    help: "Time of requests for embeddings, by what they are for (query, tool) and outcome (ok, failed).",
    labelNames: ["use", "outcome"],
    buckets: short,
    registers: [registry],
  });
  return ({ use, isOk, ms }) =>
    durations.observe({ use, outcome: isOk ? "ok" : "failed" }, ms / 1_000);
}
