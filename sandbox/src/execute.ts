import { EgressLease } from "./egress/egress-lease.ts";
import type { EgressNetwork } from "./egress/egress-network.ts";
import { outputBudget } from "./event-loop-budget.ts";
import { NO_EGRESS } from "./egress/policy.ts";
import { secretUsesOf } from "./egress/secrets.ts";
import { openExchange, type Exchange } from "./exchange.ts";
import {
  isHarmless,
  outcomeOfExit,
  outcomeOfReply,
  outcomeOfKill,
  withCutReason,
} from "./failures.ts";
import type { RunOutcome, KillReason } from "./failures.ts";
import type { Exit } from "./exit.ts";
import type { LogSink } from "./logs.ts";
import { newNonce } from "./nonce.ts";
import { prewarm, takePrewarmed, type RecentUse } from "./prewarming.ts";
import type { Pool } from "./pool.ts";
import type { SandboxProcess } from "./process.ts";
import { openCall } from "./run-channel.ts";
import type { ExecuteRequest, ExecuteResult, SandboxOptions, Usage } from "./types.ts";
import { leaseRequestOf, type LeaseRequest } from "./lease-request.ts";
import type { Watchdog, Watched } from "./watchdog.ts";

/** The parts of the sandbox that runs use. */
export type SandboxContext = {
  pool: Pool;
  watchdog: Watchdog;
  recentUse: RecentUse;
  network: EgressNetwork;
  /** One function for each run in progress, which ends that run. */
  running: Set<(killReason: KillReason) => void>;
  log: NonNullable<SandboxOptions["log"]>;
};

/** How long the last log lines may arrive after the response. */
const LAST_LINES_TIMEOUT_MS = 1_000;
/** A shorter run cannot use so much CPU time in other threads that it matters. */
const SHORT_MS = 10;
/** A longer body is read in a turn of the event loop in which no other is, since each may take long. */
const LARGE_BODY = 1024 * 1024;

/** The isolate that serves a run, and the request to it. */
type IsolateSession = {
  nonce: string;
  isolate: string;
  sink: LogSink;
  exchange: Exchange;
  reused: boolean;
};

/** Runs a tool once: leases a process, watches it, and then releases or kills it. */
export async function execute(
  context: SandboxContext,
  request: ExecuteRequest,
): Promise<ExecuteResult> {
  const { pool } = context;
  const leaseRequest = leaseRequestOf(request);
  const askedAt = performance.now();
  const process = await pool.lease(leaseRequest, request.signal);
  const waitMs = performance.now() - askedAt;
  if (process === undefined) return { status: "cancelled", ...nothingUsed(waitMs) };
  const run = new Run(context, request, leaseRequest, process);
  const outcome = await run.end();
  const usage = { ...run.usage(), waitMs };
  run.release(outcome);
  return { ...outcome, ...usage };
}

function nothingUsed(waitMs: number): Usage {
  return {
    logs: [],
    logsTruncated: false,
    cpuMs: 0,
    durationMs: 0,
    waitMs,
    reused: false,
    egress: [],
    secretUse: [],
  };
}

/** One run on its leased process. */
class Run {
  readonly #context: SandboxContext;
  readonly #request: ExecuteRequest;
  readonly #leaseRequest: LeaseRequest;
  readonly #process: SandboxProcess;
  readonly #startedAt = performance.now();
  readonly #mainThreadMs: number;
  readonly #watched: Watched;
  #session: IsolateSession | undefined;
  #egress: EgressLease | undefined;
  #killReason: KillReason | undefined;

  constructor(
    context: SandboxContext,
    request: ExecuteRequest,
    leaseRequest: LeaseRequest,
    process: SandboxProcess,
  ) {
    this.#context = context;
    this.#request = request;
    this.#leaseRequest = leaseRequest;
    this.#process = process;
    const base = process.gauge.recent() ?? { cpuMs: 0, rssBytes: 0 };
    this.#mainThreadMs = process.gauge.mainThreadMs() ?? 0;
    const { wallMs, cpuMs, memoryBytes } = request.limits;
    const deadline = this.#startedAt + wallMs;
    const onBreach = (killReason: KillReason) => this.#kill(killReason);
    this.#watched = {
      gauge: process.gauge,
      base,
      last: base,
      peakBytes: 0,
      deadline,
      cpuMs,
      memoryBytes,
      onBreach,
    };
  }

  /** Never rejects: anything that happens to the process is an outcome, too. */
  async end(): Promise<RunOutcome> {
    const { watchdog, running } = this.#context;
    const { signal, onStart } = this.#request;
    const stop = (killReason: KillReason) => this.#kill(killReason);
    const cancel = () => this.#kill("cancelled");
    watchdog.watch(this.#watched);
    onStart?.();
    running.add(stop);
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted === true) cancel();
    try {
      return await this.#callTool();
    } finally {
      signal?.removeEventListener("abort", cancel);
      running.delete(stop);
      watchdog.unwatch(this.#watched);
      this.#process.egress.revoke();
      this.#session?.sink.finish();
      if (this.#session !== undefined) this.#process.lines.end(this.#session.nonce);
    }
  }

  usage(): Omit<Usage, "waitMs"> {
    const sink = this.#session?.sink;
    return {
      logs: sink?.entries ?? [],
      logsTruncated: sink?.truncated === true || this.#process.hasFlooded,
      cpuMs: this.#cpuMs(),
      durationMs: Math.round((performance.now() - this.#startedAt) * 10) / 10,
      reused: this.#session?.reused ?? false,
      egress: this.#egress?.report() ?? [],
      secretUse: secretUsesOf(this.#request.egress ?? NO_EGRESS),
    };
  }

  release(outcome: RunOutcome): void {
    const { pool, recentUse, watchdog } = this.#context;
    const { limits, isolation } = this.#request;
    const process = this.#process;
    const isOrderly = outcome.status === "completed" || isHarmless(outcome);
    const isRecurring = recentUse.record(this.#leaseRequest.key);
    pool.release(process, isOrderly && !process.isDead);
    if (isolation !== "fresh" || !isRecurring || !pool.isFree(process)) return;
    if (process.prewarmed !== undefined) return;
    const { key, codeId } = this.#leaseRequest;
    prewarm(process, { key, codeId, limits }, watchdog, () => {
      process.releasedCpuMs = process.gauge.read()?.cpuMs ?? process.releasedCpuMs;
      pool.serve();
    });
  }

  async #callTool(): Promise<RunOutcome> {
    const process = this.#process;
    const { limits, code, inputJson } = this.#request;
    const exit = Promise.withResolvers<Exit>();
    const removeListener = process.onExit(exit.resolve);
    // It may have exited since it was leased.
    if (process.isDead) void process.exited.then(exit.resolve);
    const lost = exit.promise.then((value) => this.#outcomeOfExit(value));
    try {
      process.expectOutput(limits.logBytes);
      await Promise.race([process.load(code), lost]);
      const session = this.#openSession();
      this.#egress = this.#openEgress(session);
      process.egress.admit(this.#egress);
      const body = `${this.#meta(session.sink.logNonce)}\n${inputJson}`;
      const reply = session.exchange.finish(body, limits.outputBytes).then(async (answer) => {
        const { sink } = session;
        // The tool has returned in time, however long its last lines take, and the outputs of other runs.
        this.#watched.deadline = Infinity;
        if (answer.hasLines && !sink.hasEnded)
          await settledWithin(sink.ended.promise, LAST_LINES_TIMEOUT_MS);
        const isLarge = answer.body.length >= LARGE_BODY;
        if (isLarge && !outputBudget.hasTime()) {
          await outputBudget.waitForTurn();
          if (this.#killReason !== undefined) return outcomeOfKill(this.#killReason, limits);
        }
        const read = () => withCutReason(outcomeOfReply(answer, limits), this.#egress?.cutReason);
        return isLarge ? outputBudget.countTime(read) : read();
      });
      reply.catch(() => {});
      const outcome = await Promise.race([reply, lost]);
      // A killed process may still respond. The tool must not be able to replace the kill reason that way.
      return this.#killReason === undefined ? outcome : outcomeOfKill(this.#killReason, limits);
    } catch {
      // The connection broke. If the process ended as well, its exit explains why.
      if (!process.isDead) await settledWithin(lost, LAST_LINES_TIMEOUT_MS);
      process.kill();
      return await lost;
    } finally {
      removeListener();
    }
  }

  #openSession(): IsolateSession {
    const process = this.#process;
    const { limits, isolation, onLog, onProgress } = this.#request;
    const { key, codeId } = this.#leaseRequest;
    const prewarmed = isolation === "fresh" ? takePrewarmed(process, key) : undefined;
    const nonce = prewarmed?.nonce ?? newNonce();
    const sink = prewarmed?.sink ?? process.lines.open(nonce, limits.logBytes);
    sink.attach({ onLog, onProgress });
    const isReusable = isolation === "reuse";
    const reused = isReusable && process.isolates.has(key);
    if (isReusable) process.isolates.add(key);
    const isolate = isReusable ? key : nonce;
    const exchange = isReusable
      ? openCall(process, { codeId, nonce, isolate })
      : (prewarmed?.exchange ??
        openExchange(process.client, { "x-code": codeId, "x-nonce": nonce }));
    this.#session = { nonce, isolate, sink, exchange, reused };
    return this.#session;
  }

  #openEgress({ isolate }: IsolateSession): EgressLease {
    const { network } = this.#context;
    const { egress = NO_EGRESS, workspaceId, services, beforeRequest } = this.#request;
    const holder = { isolate, connectionGroup: `${workspaceId} ${this.#leaseRequest.key}` };
    return new EgressLease(network, egress, holder, { services, beforeRequest });
  }

  #meta(logNonce: string): string {
    const { runId, credentials, limits } = this.#request;
    const { logBytes, outputBytes, wallMs } = limits;
    const services = Object.keys(this.#request.services ?? {});
    const meta = { logNonce, runId, credentials, services, logBytes, outputBytes, wallMs };
    return JSON.stringify(meta);
  }

  #kill(killReason: KillReason): void {
    if (this.#process.isDead) return;
    this.#killReason ??= killReason;
    this.#watched.last = this.#process.gauge.read() ?? this.#watched.last;
    this.#process.kill();
  }

  #outcomeOfExit(exit: Exit): RunOutcome {
    const { limits, runId } = this.#request;
    if (this.#killReason !== undefined) return outcomeOfKill(this.#killReason, limits);
    const outcome = outcomeOfExit(exit, this.#watched, limits);
    const { code, signal } = exit;
    const { peakBytes } = this.#watched;
    const cause = outcome.status === "failed" ? outcome.error.code : undefined;
    this.#context.log("warn", "A sandbox process exited unexpectedly", {
      runId,
      cause,
      code,
      signal,
      peakBytes,
    });
    return outcome;
  }

  #isShort(): boolean {
    return performance.now() - this.#startedAt < SHORT_MS;
  }

  // The kernel counts the time of all threads in steps of 10 ms, and that of the JavaScript thread exactly. The kernel takes
  // long to produce the former, so a short run uses a recent one.
  #cpuMs(): number {
    const { base, last } = this.#watched;
    const { gauge, isDead } = this.#process;
    const sample = isDead ? last : ((this.#isShort() ? gauge.recent() : gauge.read()) ?? last);
    const allThreads = sample.cpuMs - base.cpuMs;
    const exact = isDead ? undefined : gauge.mainThreadMs();
    if (exact === undefined || allThreads >= 50) return allThreads;
    return exact - this.#mainThreadMs;
  }
}

async function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
