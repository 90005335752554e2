import { availableParallelism } from "node:os";
import { SandboxUnavailableError } from "./errors.ts";
import { countWhere, fittest, leastRecentlyUsed, setAside } from "./fitness.ts";
import { discardPrewarmed } from "./prewarming.ts";
import { awaitIdle, LEFTOVER_MS } from "./leftover-work.ts";
import { StartHealth } from "./start-health.ts";
import { SandboxProcess, type LaunchTemplate } from "./process.ts";
import { hasLeftoverWork, isDispensable, shouldRecycle } from "./recycle-policy.ts";
import type { RecyclePolicy } from "./recycle-policy.ts";
import type { SandboxOptions } from "./types.ts";
import { LeaseQueue } from "./lease-queue.ts";
import { StartPolicy, unavailable } from "./start-policy.ts";
import type { LeasedProcess } from "./start-policy.ts";
import { Leases } from "./leases.ts";
import type { LeaseRequest } from "./lease-request.ts";

export type PoolOptions = RecyclePolicy &
  Pick<SandboxOptions, "maxProcesses" | "childProcesses" | "idleProcesses"> & {
    template: LaunchTemplate;
    log: NonNullable<SandboxOptions["log"]>;
    onRecovery?: SandboxOptions["onRecovery"] | undefined;
  };

const SWEEP_MS = 500;
const MAX_STARTING = 2;
/** More starts at once would each take longer, and the first waiting run as long as the last. */
const MAX_STARTING_WAITED = 2 * availableParallelism();
const REFILL_MS = 50;
const NONE: ReadonlySet<SandboxProcess> = new Set();

/**
 * Leases processes, each to one run at a time and to one workspace for life. At the limit, a free process of another
 * workspace is replaced; if there is none, the run waits.
 */
export class Pool {
  readonly counts = { started: 0, recycled: 0, unusable: 0 };
  readonly starting: StartHealth;
  readonly #options: PoolOptions;
  readonly #free = new Set<SandboxProcess>();
  readonly #leases: Leases;
  readonly #queue = new LeaseQueue();
  readonly #sweep: NodeJS.Timeout;
  readonly #starts = new Set<Promise<void>>();
  readonly #startPolicy = new StartPolicy(() => this.serve());
  #isStopping = false;
  #arrivals: NodeJS.Immediate | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#leases = new Leases(options);
    this.starting = new StartHealth(options);
    this.#sweep = setInterval(() => this.#sweepFree(), SWEEP_MS);
    this.#sweep.unref();
    this.serve();
  }

  get processes(): number {
    return this.#free.size + this.leased + this.#starts.size;
  }

  get leased(): number {
    return this.#leases.size;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Why no tool can run: there is no process, and the last start of one failed. Undefined otherwise. */
  get problem(): string | undefined {
    return this.#free.size + this.leased === 0 ? this.starting.problem : undefined;
  }

  /** Resolves to undefined if the signal aborts first. Rejects with `SandboxUnavailableError` while no process can be started. */
  async lease(
    request: LeaseRequest,
    signal: AbortSignal | undefined,
  ): Promise<SandboxProcess | undefined> {
    if (this.#isStopping) throw new SandboxUnavailableError("The sandbox is stopping");
    if (signal?.aborted === true) return undefined;
    const isFirst = this.#queue.length === 0;
    const canWait = isFirst && this.#startPolicy.soonServed(this.#unavailable())(request);
    const process = isFirst ? this.#take(request, canWait) : undefined;
    if (process !== undefined) {
      // Starting the replacement immediately would compete with a short run for its CPU core.
      setTimeout(() => this.serve(), REFILL_MS).unref();
      return process;
    }
    const turn = this.#queue.enqueue(request, signal);
    // Among many waiting runs, the work of all that arrive at about the same time is done once.
    if (isFirst) this.serve();
    else this.#arrivals ??= setImmediate(() => this.serve());
    return turn;
  }

  /** Ends a lease. `isReusable` is false unless the run left the process intact. */
  release(process: SandboxProcess, isReusable: boolean): void {
    this.#leases.delete(process);
    process.runs += 1;
    process.lastUsedAt = performance.now();
    process.leaseMs = process.lastUsedAt - process.leasedAt;
    const sample = process.gauge.recent();
    const isUnusable = !isReusable || process.lines.isOverdue(LEFTOVER_MS);
    if (
      isUnusable ||
      sample === undefined ||
      shouldRecycle(process, sample.rssBytes, this.processes + 1, this.#options)
    ) {
      this.#discard(process, isUnusable);
    } else {
      process.releasedCpuMs = sample.cpuMs;
      this.#free.add(process);
      if (!process.lines.isIdle) this.#awaitIdle(process);
    }
    this.serve();
  }

  // A run's work ends shortly after its response, unless the tool left work behind.
  #awaitIdle(process: SandboxProcess): void {
    awaitIdle(process.lines, () => {
      // Another run may have ended on this process since, which has its own grace period.
      const isOverdue = this.isFree(process) && process.lines.isOverdue(LEFTOVER_MS);
      if (isOverdue) this.#discard(process, true);
      this.serve();
    });
  }

  isFree(process: SandboxProcess): boolean {
    return this.#free.has(process);
  }

  /** Whether a run would get a process without waiting, and without replacing one of another workspace. */
  hasRoomFor(request: LeaseRequest): boolean {
    if (this.#queue.length > 0 || this.#leases.room(request.isChild) <= 0) return false;
    return this.processes < this.#maxAllProcesses || fittest(this.#free, request) !== undefined;
  }

  /** Gives processes to waiting runs where possible, then starts missing unassigned ones. */
  serve(): void {
    if (this.#isStopping) return;
    clearImmediate(this.#arrivals);
    this.#arrivals = undefined;
    const wanted =
      this.#queue.length > 0 && this.#serveQueue()
        ? this.#startPolicy.countWanted(this.#queue, this.#leases, this.#free)
        : 0;
    const most = Math.min(wanted, MAX_STARTING_WAITED);
    while (this.#starts.size < most && !this.starting.isPaused && this.#makeRoom()) this.#start();
    const generic = this.#countGeneric() + this.#starts.size - wanted;
    // After a failure, one start finds out whether the sandbox works again: no run may be waiting for it.
    const ready = Math.max(this.#options.idleProcesses, this.problem === undefined ? 0 : 1);
    for (let left = ready - generic; left > 0 && this.#canStartAhead(); left--) this.#start();
  }

  /** Returns whether runs are left that do not just wait for a process which has their isolate. */
  #serveQueue(): boolean {
    let isAnyNeedy = false;
    const overdue = this.#queue.overdue();
    const busy = this.#unavailable();
    const isSoonServed = this.#startPolicy.soonServed(busy);
    const aside = new Set<SandboxProcess>();
    // Those that are starting will be for the first of them.
    let starts = this.starting.problem === undefined ? this.#starts.size : Infinity;
    this.#queue.serve((request) => {
      const isOverdue = overdue.has(request);
      const canWait = !isOverdue && isSoonServed(request);
      const process = this.#take(request, canWait, aside);
      isAnyNeedy ||= process === undefined && !canWait;
      if (process === undefined && isOverdue && this.#leases.room(request.isChild) > 0)
        setAside(aside, this.#free, request, () => starts-- <= 0);
      // Runs behind this one wait for the process as well. Those with unfinished work were unavailable before.
      if (process?.lines.isIdle === true) busy.push(process);
      return process;
    });
    return isAnyNeedy;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweep);
    this.#startPolicy.stop();
    this.#queue.rejectAll(new SandboxUnavailableError("The sandbox is stopping"));
    const all = [...this.#free, ...this.#leases.all()];
    for (const process of this.#free) this.#discard(process);
    for (const process of all) process.kill();
    await Promise.all([...all.map((process) => process.exited), ...this.#starts]);
  }

  get #maxAllProcesses(): number {
    return this.#options.maxProcesses + (this.#options.childProcesses ?? 0);
  }

  #unavailable(): LeasedProcess[] {
    return unavailable(this.#leases.all(), this.#free);
  }

  #take(request: LeaseRequest, canWait: boolean, aside = NONE): SandboxProcess | undefined {
    if (this.#leases.room(request.isChild) <= 0) return undefined;
    if (canWait && this.#startPolicy.hasEnough(this.leased)) return undefined;
    for (;;) {
      const free = aside.size === 0 ? this.#free : this.#free.difference(aside);
      const best = fittest(free, request, canWait);
      if (best === undefined) return undefined;
      this.#free.delete(best);
      if (hasLeftoverWork(best)) {
        this.#discard(best, true);
        continue;
      }
      if (best.prewarmed?.key !== request.key || request.isolation !== "fresh")
        discardPrewarmed(best);
      best.workspaceId = request.workspaceId;
      best.lastKey = request.key;
      best.leasedAt = performance.now();
      this.#leases.add(best, request);
      return best;
    }
  }

  #sweepFree(): void {
    const kept = { ...this.#options, surplus: this.#countGeneric() - this.#options.idleProcesses };
    for (const process of this.#free) {
      const isDone = isDispensable(process, kept);
      if (!isDone && !hasLeftoverWork(process)) continue;
      if (process.workspaceId === undefined) kept.surplus -= 1;
      this.#discard(process, !isDone);
    }
    this.serve();
  }

  #discard(process: SandboxProcess, isUnusable = false): void {
    this.#free.delete(process);
    discardPrewarmed(process);
    this.counts[isUnusable ? "unusable" : "recycled"] += 1;
    process.kill();
  }

  #countGeneric(): number {
    return countWhere(this.#free, ({ workspaceId }) => workspaceId === undefined);
  }

  #makeRoom(): boolean {
    if (this.processes < this.#maxAllProcesses) return true;
    const oldest = leastRecentlyUsed(this.#free);
    if (oldest === undefined) return false;
    this.#discard(oldest);
    return true;
  }

  #canStartAhead(): boolean {
    if (this.#starts.size >= MAX_STARTING || this.processes >= this.#maxAllProcesses) return false;
    return !this.starting.isPaused;
  }

  #start(): void {
    const startedAt = performance.now();
    const start: Promise<void> = SandboxProcess.start(this.#options.template).then(
      (process) => {
        this.#starts.delete(start);
        this.#startPolicy.noteStart(performance.now() - startedAt);
        return this.#admit(process);
      },
      (error: unknown) => {
        this.#starts.delete(start);
        this.#failStart(error);
      },
    );
    this.#starts.add(start);
  }

  async #admit(process: SandboxProcess): Promise<void> {
    if (this.#isStopping) {
      process.kill();
      await process.exited;
      return;
    }
    this.counts.started += 1;
    process.releasedCpuMs = process.gauge.read()?.cpuMs ?? 0;
    this.#free.add(process);
    this.starting.succeed();
    void process.exited.then(() => {
      if (!this.#free.has(process)) return;
      this.#discard(process);
      this.serve();
    });
    this.serve();
  }

  #failStart(error: unknown): void {
    if (this.#isStopping) return;
    this.starting.fail(error);
    // While processes are alive, the runs wait for one of them.
    if (this.problem !== undefined) {
      const message = "A sandbox process could not be started";
      this.#queue.rejectAll(new SandboxUnavailableError(message, { cause: error }));
    }
    this.serve();
  }
}
