import { availableParallelism } from "node:os";
import { SandboxUnavailableError } from "./errors.ts";
import { countWhere, fittest, leastRecentlyUsed } from "./fitness.ts";
import { discardPrewarmed } from "./prewarming.ts";
import { StartHealth } from "./start-health.ts";
import { SandboxProcess, type LaunchTemplate } from "./process.ts";
import { hasReachedMaxAge, isIdle, shouldRecycle, type RecyclePolicy } from "./recycle-policy.ts";
import type { SandboxOptions } from "./types.ts";
import { LeaseQueue } from "./lease-queue.ts";
import { StartPolicy } from "./start-policy.ts";
import type { LeaseRequest } from "./lease-request.ts";

export type PoolOptions = RecyclePolicy &
  Pick<SandboxOptions, "maxProcesses" | "childProcesses" | "idleProcesses"> & {
    template: LaunchTemplate;
    log: NonNullable<SandboxOptions["log"]>;
    onRecovery?: SandboxOptions["onRecovery"] | undefined;
  };

const SWEEP_MS = 500;
/** CPU time that a free process may use: idle garbage collection rather than leftover work. */
const IDLE_CPU_MS = 150;
const MAX_STARTING = 2;
/** More starts at once would each take longer, and the first waiting run as long as the last. */
const MAX_STARTING_WAITED = 2 * availableParallelism();
const REFILL_MS = 50;
/** How long leftover work of a tool may continue before its process is killed. */
const LEFTOVER_MS = 200;
/** Timers may fire early by less than this. */
const TIMER_EARLY_MS = 2;

/**
 * Leases processes, each to one run at a time and to one workspace for life. At the limit, a free process of another
 * workspace is replaced; if there is none, the run waits. Child runs have a separate limit, so that parents waiting
 * for them cannot take all processes and deadlock.
 */
export class Pool {
  readonly counts = { started: 0, recycled: 0, unusable: 0 };
  readonly starting: StartHealth;
  readonly #options: PoolOptions;
  readonly #free = new Set<SandboxProcess>();
  readonly #leased = { own: new Set<SandboxProcess>(), child: new Set<SandboxProcess>() };
  readonly #queue = new LeaseQueue();
  readonly #sweep: NodeJS.Timeout;
  readonly #starts = new Set<Promise<void>>();
  readonly #startPolicy = new StartPolicy(() => this.serve());
  #isStopping = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.starting = new StartHealth(options);
    this.#sweep = setInterval(() => this.#sweepFree(), SWEEP_MS);
    this.#sweep.unref();
    this.serve();
  }

  get processes(): number {
    return this.#free.size + this.leased + this.#starts.size;
  }

  get leased(): number {
    return this.#leased.own.size + this.#leased.child.size;
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
    const process = this.#queue.length === 0 ? this.#take(request) : undefined;
    if (process !== undefined) {
      // Starting the replacement immediately would compete with a short run for its CPU core.
      setTimeout(() => this.serve(), REFILL_MS).unref();
      return process;
    }
    const turn = this.#queue.enqueue(request, signal);
    this.serve();
    return turn;
  }

  /** Ends a lease. `isReusable` is false unless the run left the process intact. */
  release(process: SandboxProcess, isReusable: boolean): void {
    this.#leased.own.delete(process);
    this.#leased.child.delete(process);
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
    const judge = () => {
      // Another run may have ended on this process since, which has its own grace period.
      if (this.isFree(process) && process.lines.isOverdue(LEFTOVER_MS))
        this.#discard(process, true);
      this.serve();
    };
    // The idle message may have arrived while this thread was busy. setImmediate lets it be read first.
    const timer = setTimeout(() => setImmediate(judge), LEFTOVER_MS + TIMER_EARLY_MS);
    process.lines.onIdle = () => {
      clearTimeout(timer);
      this.serve();
    };
  }

  isFree(process: SandboxProcess): boolean {
    return this.#free.has(process);
  }

  /** Whether a run would get a process without waiting, and without replacing one of another workspace. */
  hasRoomFor(request: LeaseRequest): boolean {
    if (this.#queue.length > 0 || this.#room(request.isChild) <= 0) return false;
    return this.processes < this.#maxAllProcesses || fittest(this.#free, request) !== undefined;
  }

  /** Gives processes to waiting runs where possible, then starts missing unassigned ones. */
  serve(): void {
    if (this.#isStopping) return;
    this.#queue.serve((request) => this.#take(request));
    const wanted = this.#countWanted();
    const most = Math.min(wanted, MAX_STARTING_WAITED);
    while (this.#starts.size < most && !this.starting.isPaused && this.#makeRoom()) this.#start();
    const generic = this.#countGeneric() + this.#starts.size - wanted;
    // After a failure, one start finds out whether the sandbox works again: no run may be waiting for it.
    const ready = Math.max(this.#options.idleProcesses, this.problem === undefined ? 0 : 1);
    let missing = ready - generic;
    while (missing > 0 && this.#canStartAhead()) {
      this.#start();
      missing -= 1;
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweep);
    this.#startPolicy.stop();
    this.#queue.rejectAll(new SandboxUnavailableError("The sandbox is stopping"));
    const all = [...this.#free, ...this.#leased.own, ...this.#leased.child];
    for (const process of this.#free) this.#discard(process);
    for (const process of all) process.kill();
    await Promise.all([...all.map((process) => process.exited), ...this.#starts]);
  }

  get #maxAllProcesses(): number {
    return this.#options.maxProcesses + (this.#options.childProcesses ?? 0);
  }

  /** How many more runs may hold a process, for child runs or for all others. */
  #room(isChild: boolean): number {
    const { maxProcesses, childProcesses = 0 } = this.#options;
    const most = isChild ? childProcesses : maxProcesses;
    return most - this.#leased[isChild ? "child" : "own"].size;
  }

  /** How many processes to start for waiting runs, beyond those with leftover work, which they may get soon. */
  #countWanted(): number {
    if (this.#queue.length === 0) return 0;
    const leased = [...this.#leased.own, ...this.#leased.child];
    const waiting = this.#startPolicy.withoutPatient(this.#queue.requests(), leased);
    const children = waiting.filter(({ isChild }) => isChild).length;
    const own = Math.min(waiting.length - children, this.#room(false));
    const unfinished = countWhere(this.#free, ({ lines }) => !lines.isIdle);
    return Math.max(0, own + Math.min(children, this.#room(true)) - unfinished);
  }

  #take(request: LeaseRequest): SandboxProcess | undefined {
    if (this.#room(request.isChild) <= 0) return undefined;
    for (;;) {
      const best = fittest(this.#free, request);
      if (best === undefined) return undefined;
      this.#free.delete(best);
      if (this.#hasLeftoverWork(best)) {
        this.#discard(best, true);
        continue;
      }
      if (best.prewarmed?.key !== request.key || request.isolation !== "fresh")
        discardPrewarmed(best);
      best.workspaceId = request.workspaceId;
      best.lastKey = request.key;
      best.leasedAt = performance.now();
      this.#leased[request.isChild ? "child" : "own"].add(best);
      return best;
    }
  }

  // Leftover work of an earlier run would be charged to the next one.
  #hasLeftoverWork(process: SandboxProcess): boolean {
    if (process.prewarmed?.isReady === false) return false;
    const sample = process.gauge.recent();
    return sample === undefined || sample.cpuMs - process.releasedCpuMs > IDLE_CPU_MS;
  }

  #sweepFree(): void {
    let surplus = this.#countGeneric() - this.#options.idleProcesses;
    for (const process of this.#free) {
      // Left over from a burst of runs. As many unassigned processes stay as are kept ready.
      const isSurplus = process.workspaceId !== undefined || surplus > 0;
      const isDone =
        hasReachedMaxAge(process, this.#options) || (isSurplus && isIdle(process, this.#options));
      if (!isDone && !this.#hasLeftoverWork(process)) continue;
      if (process.workspaceId === undefined) surplus -= 1;
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
