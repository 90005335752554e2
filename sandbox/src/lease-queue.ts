import type { LeaseRequest } from "./lease-request.ts";
import type { SandboxProcess } from "./process.ts";

/** Runs behind one that has waited for so long may no longer get a process before it. */
const OVERDUE_MS = 1_000;

type PendingLease = {
  request: LeaseRequest;
  since: number;
  resolve: (process: SandboxProcess | undefined) => void;
  reject: (error: Error) => void;
};

/** Runs waiting for a process, in order of arrival. */
export class LeaseQueue {
  readonly #pending: PendingLease[] = [];

  get length(): number {
    return this.#pending.length;
  }

  /** What the waiting runs require, in order of arrival. */
  requests(): LeaseRequest[] {
    return this.#pending.map(({ request }) => request);
  }

  /** The runs that have waited for too long. */
  overdue(): ReadonlySet<LeaseRequest> {
    const before = performance.now() - OVERDUE_MS;
    const overdue = new Set<LeaseRequest>();
    for (const { request, since } of this.#pending) {
      // The others are younger.
      if (since > before) break;
      overdue.add(request);
    }
    return overdue;
  }

  /** Resolves to a process, or to undefined if the signal aborts first. */
  enqueue(
    request: LeaseRequest,
    signal: AbortSignal | undefined,
  ): Promise<SandboxProcess | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<SandboxProcess | undefined>();
    const pending = { request, since: performance.now(), resolve, reject };
    this.#pending.push(pending);
    if (signal === undefined) return promise;
    const leave = () => {
      this.#remove(pending);
      resolve(undefined);
    };
    signal.addEventListener("abort", leave, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** Calls `take` for each waiting run in order, and resolves those for which it returns a process. */
  serve(take: (request: LeaseRequest) => SandboxProcess | undefined): void {
    for (const pending of this.#pending.slice()) {
      const process = take(pending.request);
      if (process === undefined) continue;
      this.#remove(pending);
      pending.resolve(process);
    }
  }

  rejectAll(error: Error): void {
    for (const pending of this.#pending.splice(0)) pending.reject(error);
  }

  #remove(pending: PendingLease): void {
    const at = this.#pending.indexOf(pending);
    if (at >= 0) this.#pending.splice(at, 1);
  }
}
