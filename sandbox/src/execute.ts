import { createHash, randomBytes } from "node:crypto";
import { EgressLease } from "./egress/egress-lease.ts";
import type { EgressNetwork } from "./egress/egress-network.ts";
import { NO_EGRESS } from "./egress/policy.ts";
import { secretUsesOf } from "./egress/secrets.ts";
import { openExchange, type Exchange } from "./exchange.ts";
import { endingOfExit, endingOfReply, endingOfVerdict, withCutReason } from "./failures.ts";
import type { Ending, Verdict } from "./failures.ts";
import type { Exit } from "./exit.ts";
import type { LogSink } from "./logs.ts";
import { prewarm, takePrewarmed, type RecentUse } from "./prewarming.ts";
import type { Pool } from "./pool.ts";
import type { SandboxProcess } from "./process.ts";
import type { ExecuteRequest, ExecuteResult, FailureCode, SandboxOptions, Usage } from "./types.ts";
import type { LeaseRequest } from "./lease-queue.ts";
import type { Watchdog, Watched } from "./watchdog.ts";

/** What a run needs of the sandbox it runs in. */
export type Facilities = {
  pool: Pool;
  watchdog: Watchdog;
  recentUse: RecentUse;
  network: EgressNetwork;
  /** Runs under way, by what ends them early. */
  running: Set<(verdict: Verdict) => void>;
  log: NonNullable<SandboxOptions["log"]>;
};

/** How long the last log lines may lag behind the answer. */
const LAST_LINES_MS = 1_000;
const HARMLESS: readonly string[] = [
  "tool_error",
  "invalid_output",
  "egress_denied",
  "output_too_large",
] satisfies FailureCode[];

/** An isolate that a run was given, and the request that leads to it. */
type Seat = { nonce: string; isolate: string; sink: LogSink; exchange: Exchange; reused: boolean };

/** Runs a tool once: leases a process, watches it, and gives it back or has it killed. */
export async function execute(
  facilities: Facilities,
  request: ExecuteRequest,
): Promise<ExecuteResult> {
  const { pool } = facilities;
  const leaseRequest: LeaseRequest = {
    workspaceId: request.workspaceId,
    key: isolateKey(request),
    codeId: request.code.id,
    isolation: request.isolation,
    isChild: request.isChild === true,
  };
  const askedAt = performance.now();
  const process = await pool.lease(leaseRequest, request.signal);
  const waitMs = performance.now() - askedAt;
  if (process === undefined) return { status: "cancelled", ...nothingUsed(waitMs) };
  const run = new Run(facilities, request, leaseRequest, process);
  const ending = await run.end();
  const usage = { ...run.usage(), waitMs };
  run.giveBack(ending);
  return { ...ending, ...usage };
}

function isolateKey({ reuseKey, code }: ExecuteRequest): string {
  return createHash("sha256")
    .update(`${reuseKey.length}:${reuseKey}${code.id}`)
    .digest("base64url");
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
  readonly #facilities: Facilities;
  readonly #request: ExecuteRequest;
  readonly #leaseRequest: LeaseRequest;
  readonly #process: SandboxProcess;
  readonly #startedAt = performance.now();
  readonly #mainThreadMs: number;
  readonly #watched: Watched;
  #seat: Seat | undefined;
  #egress: EgressLease | undefined;
  #verdict: Verdict | undefined;

  constructor(
    facilities: Facilities,
    request: ExecuteRequest,
    leaseRequest: LeaseRequest,
    process: SandboxProcess,
  ) {
    this.#facilities = facilities;
    this.#request = request;
    this.#leaseRequest = leaseRequest;
    this.#process = process;
    const base = process.gauge.recent() ?? { cpuMs: 0, rssBytes: 0 };
    this.#mainThreadMs = process.gauge.mainThreadMs() ?? 0;
    const { wallMs, cpuMs, memoryBytes } = request.limits;
    const deadline = this.#startedAt + wallMs;
    const onBreach = (verdict: Verdict) => this.#kill(verdict);
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

  /** Never rejects: whatever happens to the process is an ending too. */
  async end(): Promise<Ending> {
    const { watchdog, running } = this.#facilities;
    const { signal, onStart } = this.#request;
    const stop = (verdict: Verdict) => this.#kill(verdict);
    const cancel = () => this.#kill("cancelled");
    watchdog.watch(this.#watched);
    onStart?.();
    running.add(stop);
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted === true) cancel();
    try {
      return await this.#converse();
    } finally {
      signal?.removeEventListener("abort", cancel);
      running.delete(stop);
      watchdog.unwatch(this.#watched);
      this.#process.egress.revoke();
      this.#seat?.sink.finish();
      if (this.#seat !== undefined) this.#process.lines.end(this.#seat.nonce);
    }
  }

  usage(): Omit<Usage, "waitMs"> {
    const sink = this.#seat?.sink;
    return {
      logs: sink?.entries ?? [],
      logsTruncated: sink?.truncated === true || this.#process.hasFlooded,
      cpuMs: this.#cpuMs(),
      durationMs: performance.now() - this.#startedAt,
      reused: this.#seat?.reused ?? false,
      egress: this.#egress?.report() ?? [],
      secretUse: secretUsesOf(this.#request.egress ?? NO_EGRESS),
    };
  }

  giveBack(ending: Ending): void {
    const { pool, recentUse, watchdog } = this.#facilities;
    const { limits, isolation } = this.#request;
    const process = this.#process;
    const isOrderly = ending.status === "completed" || isHarmless(ending);
    const comesBack = recentUse.record(this.#leaseRequest.key);
    pool.giveBack(process, isOrderly && !process.isDead);
    if (isolation !== "fresh" || !comesBack || !pool.isFree(process)) return;
    if (process.prewarmed !== undefined) return;
    const { key, codeId } = this.#leaseRequest;
    prewarm(process, { key, codeId, limits }, watchdog, () => {
      process.releasedCpuMs = process.gauge.read()?.cpuMs ?? process.releasedCpuMs;
      pool.serve();
    });
  }

  async #converse(): Promise<Ending> {
    const process = this.#process;
    const { limits, code, inputJson } = this.#request;
    const gone = Promise.withResolvers<Exit>();
    const forget = process.onExit(gone.resolve);
    // It may have gone between its lease and now.
    if (process.isDead) void process.exited.then(gone.resolve);
    const lost = gone.promise.then((exit) => this.#endingOfExit(exit));
    try {
      process.expectOutput(limits.logBytes);
      await Promise.race([process.load(code), lost]);
      const seat = this.#sit();
      this.#egress = this.#openEgress(seat);
      process.egress.admit(this.#egress);
      const body = `${this.#meta(seat.nonce)}\n${inputJson}`;
      const reply = seat.exchange.finish(body, limits.outputBytes).then(async (answer) => {
        await settledWithin(seat.sink.ended.promise, LAST_LINES_MS);
        return withCutReason(endingOfReply(answer, limits), this.#egress?.cutReason);
      });
      reply.catch(() => {});
      const ending = await Promise.race([reply, lost]);
      // A process that is killed may still answer, and what it says then is not the tool's to decide.
      return this.#verdict === undefined ? ending : endingOfVerdict(this.#verdict, limits);
    } catch {
      // The connection broke: if the process did too, its end says why.
      if (!process.isDead) await settledWithin(lost, LAST_LINES_MS);
      process.kill();
      return await lost;
    } finally {
      forget();
    }
  }

  #sit(): Seat {
    const process = this.#process;
    const { limits, isolation, onLog, onProgress } = this.#request;
    const { key, codeId } = this.#leaseRequest;
    const prewarmed = isolation === "fresh" ? takePrewarmed(process, key) : undefined;
    const nonce = prewarmed?.nonce ?? randomBytes(16).toString("hex");
    const sink = prewarmed?.sink ?? process.lines.open(nonce, limits.logBytes);
    sink.attach({ onLog, onProgress });
    const isKept = isolation === "reuse";
    const reused = isKept && process.isolates.has(key);
    if (isKept) process.isolates.add(key);
    const headers = { "x-code": codeId, "x-nonce": nonce, ...(isKept ? { "x-isolate": key } : {}) };
    const exchange = prewarmed?.exchange ?? openExchange(process.endpoint, headers);
    this.#seat = { nonce, isolate: isKept ? key : nonce, sink, exchange, reused };
    return this.#seat;
  }

  #openEgress({ isolate }: Seat): EgressLease {
    const { network } = this.#facilities;
    const { egress = NO_EGRESS, workspaceId, services } = this.#request;
    const holder = { isolate, connectionGroup: `${workspaceId} ${this.#leaseRequest.key}` };
    return new EgressLease(network, egress, holder, services);
  }

  #meta(nonce: string): string {
    const { runId, credentials, limits } = this.#request;
    const { logBytes, outputBytes, wallMs } = limits;
    const services = Object.keys(this.#request.services ?? {});
    return JSON.stringify({ nonce, runId, credentials, services, logBytes, outputBytes, wallMs });
  }

  #kill(verdict: Verdict): void {
    if (this.#process.isDead) return;
    this.#verdict ??= verdict;
    this.#watched.last = this.#process.gauge.read() ?? this.#watched.last;
    this.#process.kill();
  }

  #endingOfExit(exit: Exit): Ending {
    const { limits, runId } = this.#request;
    if (this.#verdict !== undefined) return endingOfVerdict(this.#verdict, limits);
    const ending = endingOfExit(exit, this.#watched, limits);
    const { code, signal } = exit;
    const { peakBytes } = this.#watched;
    const cause = ending.status === "failed" ? ending.error.code : undefined;
    this.#facilities.log("warn", "A sandbox process ended by itself", {
      runId,
      cause,
      code,
      signal,
      peakBytes,
    });
    return ending;
  }

  // The kernel counts all threads in steps of 10 ms, and the one that runs JavaScript exactly.
  #cpuMs(): number {
    const { base, last } = this.#watched;
    const sample = this.#process.isDead ? last : (this.#process.gauge.read() ?? last);
    const allThreads = sample.cpuMs - base.cpuMs;
    const exact = this.#process.isDead ? undefined : this.#process.gauge.mainThreadMs();
    if (exact === undefined || allThreads >= 50) return allThreads;
    return exact - this.#mainThreadMs;
  }
}

/** Whether a failed run left its process as good as before. */
function isHarmless(ending: Ending): boolean {
  if (ending.status !== "failed") return false;
  return HARMLESS.includes(ending.error.code);
}

async function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
