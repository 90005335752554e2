import { availableParallelism } from "node:os";
import { CpuDemand } from "./cpu-demand.ts";
import { canServe, countWhere } from "./fitness.ts";
import type { LeaseQueue } from "./lease-queue.ts";
import type { LeaseRequest } from "./lease-request.ts";
import type { Leases } from "./leases.ts";
import type { SandboxProcess } from "./process.ts";

/** A leased process: to which workspace, since when, how long its lease before took, and its isolates. */
export type LeasedProcess = {
  workspaceId: string | undefined;
  isolates: ReadonlySet<string>;
  leasedAt: number;
  leaseMs: number | undefined;
};

/** How long a start takes on an idle machine, until the first was measured. */
const FIRST_START_MS = 50;
/** The part of the average that each further start is. */
const WEIGHT = 0.2;
/** How long it takes to create an isolate in a process. */
const ISOLATE_MS = 12;
const RECHECK_MS = 10;
const ENOUGH_PROCESSES = 2 * availableParallelism();

/**
 * Decides what waiting runs wait for. A new isolate costs as much CPU time as several short runs, so a run waits for a process
 * that has its isolate and will be free earlier than a new one would be created. A start costs as much as dozens of short runs.
 * While all cores are busy, it would delay other runs, so a run waits for a process of its workspace in the same way.
 */
export class StartPolicy {
  readonly #recheck: () => void;
  readonly #demand: Pick<CpuDemand, "isSaturated">;
  #startMs = FIRST_START_MS;
  #timer: NodeJS.Timeout | undefined;

  /** `recheck` is called while runs wait for leased processes, which may turn out to be busy for longer. */
  constructor(recheck: () => void, demand: Pick<CpuDemand, "isSaturated"> = new CpuDemand()) {
    this.#recheck = recheck;
    this.#demand = demand;
  }

  /** Records how long a start took. */
  noteStart(ms: number): void {
    this.#startMs += (ms - this.#startMs) * WEIGHT;
  }

  /**
   * Tells for each waiting run in turn whether it needs no new isolate, because processes have its own and will be free soon.
   * `busy` may grow meanwhile.
   */
  soonServed(busy: readonly LeasedProcess[]): (request: LeaseRequest) => boolean {
    const isServed = this.#served(
      // While all cores are busy, creating an isolate delays other runs.
      () => (this.#demand.isSaturated() ? this.#startMs : ISOLATE_MS),
      ({ key }) => key,
      ({ key }) => busy.filter(({ isolates }) => isolates.has(key)),
    );
    return (request) => request.isolation === "reuse" && isServed(request);
  }

  /**
   * Whether so many processes are leased that another would only compete with them for the cores. Runs in it would take as much
   * longer as those in the others are delayed, and its memory is no longer in the caches.
   */
  hasEnough(leased: number): boolean {
    return leased >= ENOUGH_PROCESSES && this.#demand.isSaturated();
  }

  /** The waiting runs that need a new process: all, unless leased ones will serve them in the time that a start takes. */
  withoutPatient(
    waiting: readonly LeaseRequest[],
    leased: readonly LeasedProcess[],
  ): readonly LeaseRequest[] {
    if (waiting.length === 0 || !this.#demand.isSaturated()) return waiting;
    const isServed = this.#served(
      () => this.#startMs,
      ({ workspaceId }) => workspaceId,
      ({ workspaceId }) => leased.filter((process) => process.workspaceId === workspaceId),
    );
    // A process that is full serves only the tools that it has loaded.
    const hasProcess = (request: LeaseRequest) =>
      leased.some((process) => canServe(process, request));
    return waiting.filter((request) => !hasProcess(request) || !isServed(request));
  }

  /** How many processes to start for waiting runs, beyond those with leftover work, which they may get soon. */
  countWanted(queue: LeaseQueue, leases: Leases, free: ReadonlySet<SandboxProcess>): number {
    const [leased, overdue] = [leases.all(), queue.overdue()];
    const others = queue.requests().filter((request) => !overdue.has(request));
    const isSoonServed = this.soonServed(unavailable(leased, free));
    const needy = others.filter((request) => !isSoonServed(request));
    const waiting = [...overdue, ...this.withoutPatient(needy, leased)];
    const children = waiting.filter(({ isChild }) => isChild).length;
    const own = Math.min(waiting.length - children, leases.room(false));
    const unfinished = countWhere(free, ({ lines }) => !lines.isIdle);
    return Math.max(0, own + Math.min(children, leases.room(true)) - unfinished);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Tells for each run in turn whether processes will serve it within some time: as many of each group as its processes can serve
   * in this time.
   */
  #served(
    getMs: () => number,
    groupOf: (request: LeaseRequest) => string,
    processesOf: (request: LeaseRequest) => readonly LeasedProcess[],
  ): (request: LeaseRequest) => boolean {
    const now = performance.now();
    const left = new Map<string, number>();
    return (request) => {
      const group = groupOf(request);
      let leases = left.get(group);
      if (leases === undefined) {
        const processes = processesOf(request);
        leases = processes.length === 0 ? 0 : countLeases(processes, getMs(), now);
      }
      left.set(group, leases - 1);
      if (leases >= 1) this.#recheckLater();
      return leases >= 1;
    };
  }

  #recheckLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#recheck();
    }, RECHECK_MS).unref();
  }
}

/** The leased processes, and free ones whose last run has ended but is not known to have left no work. */
export function unavailable(
  leased: readonly SandboxProcess[],
  free: Iterable<SandboxProcess>,
): LeasedProcess[] {
  const all: LeasedProcess[] = [...leased];
  for (const { lines, workspaceId, isolates, lastUsedAt } of free) {
    if (!lines.isIdle) all.push({ workspaceId, isolates, leasedAt: lastUsedAt, leaseMs: 0 });
  }
  return all;
}

/** How many leases the processes can serve within `ms`. */
function countLeases(processes: readonly LeasedProcess[], ms: number, now: number): number {
  let count = 0;
  for (const { leasedAt, leaseMs } of processes) {
    if (leaseMs === undefined) continue;
    const sinceMs = now - leasedAt;
    // A run that sleeps must not be waited for longer than that, however many there are.
    if (sinceMs > ms) continue;
    // A lease that is longer than the one before has no known end.
    count += ms / Math.max(leaseMs, 2 * sinceMs, 1);
  }
  return count;
}
