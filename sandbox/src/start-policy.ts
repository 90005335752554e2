import { CpuDemand } from "./cpu-demand.ts";
import type { LeaseRequest } from "./lease-request.ts";

/** A leased process: to which workspace, since when, and how long its lease before took. */
export type LeasedProcess = {
  workspaceId: string | undefined;
  leasedAt: number;
  leaseMs: number | undefined;
};

/** How long a start takes on an idle machine, until the first was measured. */
const FIRST_START_MS = 50;
/** The part of the average that each further start is. */
const WEIGHT = 0.2;
const RECHECK_MS = 20;

/**
 * Decides for which waiting runs a process is started. A start costs as much CPU time as dozens of short runs. While all cores
 * are busy, it would delay other runs, so a run waits for a process of its workspace that will be free earlier than a new one.
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

  /** The waiting runs that need a new process: all, unless leased ones will serve them in the time that a start takes. */
  withoutPatient(
    waiting: readonly LeaseRequest[],
    leased: readonly LeasedProcess[],
  ): readonly LeaseRequest[] {
    if (!this.#demand.isSaturated()) return waiting;
    const now = performance.now();
    const patience = new Map<string, number>();
    const impatient = waiting.filter(({ workspaceId }) => {
      const left = patience.get(workspaceId) ?? this.#countLeases(workspaceId, leased, now);
      patience.set(workspaceId, left - 1);
      return left < 1;
    });
    if (impatient.length < waiting.length) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#recheck();
      }, RECHECK_MS).unref();
    }
    return impatient;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** How many leases the processes of a workspace can serve in the time that a start takes. */
  #countLeases(workspaceId: string, leased: readonly LeasedProcess[], now: number): number {
    let count = 0;
    for (const process of leased) {
      if (process.workspaceId !== workspaceId || process.leaseMs === undefined) continue;
      const sinceMs = now - process.leasedAt;
      // A run that sleeps must not be waited for longer than a start takes, however many there are.
      if (sinceMs > this.#startMs) continue;
      // A lease that is longer than the one before has no known end.
      const leaseMs = Math.max(process.leaseMs, 2 * sinceMs);
      count += this.#startMs / Math.max(leaseMs, 1);
    }
    return count;
  }
}
