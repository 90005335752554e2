import { parseDeclaredHost, parsePrivateHost, undeclared } from "./declared-hosts.ts";
import type { InternalService, InternalServices } from "./internal-service.ts";
import { resolveAddresses, type EgressNetwork } from "./egress-network.ts";
import type { EgressPolicy } from "./policy.ts";
import { EgressReport, type HostUsage } from "./egress-report.ts";
import { EgressDeniedError, RunEndedError } from "./egress-errors.ts";
import type { Target } from "./target.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";

/** Who holds the lease: the isolate that serves the run, and its connection group. */
export type LeaseHolder = {
  isolate: string;
  /** Runs with the same group share connections. */
  connectionGroup: string;
};

/** Counts the bytes of bodies in one direction. Both functions throw `EgressDeniedError` over the run's limit. */
type Account = {
  /** Checks whether this many more bytes are allowed. */
  expect: (bytes: number) => void;
  count: (bytes: number) => void;
};

/** Concurrent requests of a run to internal services. Further requests wait. */
const MAX_INTERNAL_REQUESTS = 32;

/** An allowed request: the addresses to connect to, and its counters. */
export type Permit = {
  addresses: readonly string[];
  sent: Account;
  received: Account;
  /** Adds a request to the report. */
  countRequest: () => void;
};

type LeaseOptions = {
  services?: InternalServices | undefined;
  /** Awaited before each request. */
  beforeRequest?: (() => Promise<void>) | undefined;
};

/** The network access of one run, from its start to its end, and the report of its requests. */
export class EgressLease {
  readonly holder: LeaseHolder;
  readonly network: EgressNetwork;
  readonly policy: EgressPolicy;
  /** Why a response was cut off after its headers were sent, when the tool can no longer receive an error. */
  cutReason: string | undefined;
  readonly #report = new EgressReport();
  readonly #limiter: ConcurrencyLimiter;
  readonly #services: InternalServices;
  readonly #beforeRequest: (() => Promise<void>) | undefined;
  readonly #internalLimiter = new ConcurrencyLimiter(MAX_INTERNAL_REQUESTS);
  readonly #open = new Set<AbortController>();
  readonly #endListeners = new Set<() => void>();
  readonly #used = { requests: 0, bytesSent: 0, bytesReceived: 0 };
  #hosts: ReturnType<typeof hostsOf> | undefined;
  #isOver = false;

  constructor(
    network: EgressNetwork,
    policy: EgressPolicy,
    holder: LeaseHolder,
    { services = {}, beforeRequest }: LeaseOptions = {},
  ) {
    this.network = network;
    this.policy = policy;
    this.holder = holder;
    this.#services = services;
    this.#beforeRequest = beforeRequest;
    this.#limiter = new ConcurrencyLimiter(policy.limits.parallelRequests);
  }

  /**
   * Calls `vet`, which may deny the request, waits until the concurrency limit allows it, then calls `work` with a
   * permit. The end of the lease aborts it. Throws `EgressDeniedError`, `RunEndedError`, `UpstreamError` if the name
   * has no address, and what `work` throws.
   */
  async letOut(
    target: Target,
    { controller, vet }: { controller: AbortController; vet: () => void },
    work: (permit: Permit) => Promise<void>,
  ): Promise<void> {
    const usage = this.#report.of(target.name);
    try {
      this.#open.add(controller);
      this.#admit(target);
      vet();
      await this.#takeTurn(target);
      try {
        const permit = await orAborted(controller.signal, this.#permit(target, usage));
        permit.countRequest();
        await work(permit);
      } finally {
        this.#limiter.release();
      }
    } catch (error) {
      if (this.#isOver) throw new RunEndedError();
      if (error instanceof EgressDeniedError) this.#note(usage, error);
      throw error;
    } finally {
      this.#open.delete(controller);
    }
  }

  /** Resolves when a request may be served. Throws `RunEndedError` if none may. */
  async ready(): Promise<void> {
    try {
      await this.#beforeRequest?.();
    } catch {
      throw new RunEndedError();
    }
  }

  /** The internal service at a target. Undefined for external hosts. */
  serviceOf({ scheme, host, port }: Target): InternalService | undefined {
    const isOurs = scheme === "http:" && port === 80 && Object.hasOwn(this.#services, host);
    return isOurs ? this.#services[host] : undefined;
  }

  /**
   * Waits until the concurrency limit allows it, then calls `work`, for a request to an internal service. Such requests
   * are exempt from the network limits and the report. Throws like {@link letOut}.
   */
  async serveInternally(
    target: Target,
    controller: AbortController,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      this.#open.add(controller);
      if (this.#isOver) throw new RunEndedError();
      if (!(await this.#internalLimiter.acquire())) {
        const reason = `${MAX_INTERNAL_REQUESTS} requests to it are open, and none has ended for 30 seconds`;
        throw new EgressDeniedError(target.name, reason);
      }
      try {
        await work();
      } finally {
        this.#internalLimiter.release();
      }
    } catch (error) {
      throw this.#isOver ? new RunEndedError() : error;
    } finally {
      this.#open.delete(controller);
    }
  }

  /** Records a request that is denied regardless of the policy, and returns the error to throw. */
  deny(name: string, reason: string): EgressDeniedError {
    const refusal = new EgressDeniedError(name, reason);
    this.#note(this.#report.of(name), refusal);
    return refusal;
  }

  /** Calls `listener` when the run ends, unless the returned function is called first. */
  onEnd(listener: () => void): () => void {
    this.#endListeners.add(listener);
    return () => void this.#endListeners.delete(listener);
  }

  report(): HostUsage[] {
    return this.#report.all();
  }

  /** Aborts all open requests and denies further ones. */
  close(): void {
    this.#isOver = true;
    for (const listener of this.#endListeners) listener();
    for (const controller of this.#open) controller.abort(new RunEndedError());
    this.#limiter.rejectWaiting();
    this.#internalLimiter.rejectWaiting();
  }

  #admit(target: Target): void {
    if (this.#isOver) throw new RunEndedError();
    this.#hosts ??= hostsOf(this.policy);
    const reason = undeclared(this.#hosts.declared, target);
    if (reason !== undefined) throw new EgressDeniedError(target.name, reason);
    const { requests } = this.policy.limits;
    if (this.#used.requests >= requests) {
      throw new EgressDeniedError(target.name, `the run has used all of its ${requests} requests`);
    }
    this.#used.requests += 1;
  }

  async #takeTurn(target: Target): Promise<void> {
    if (await this.#limiter.acquire()) return;
    const { parallelRequests } = this.policy.limits;
    const reason = `${parallelRequests} requests of the run are open, and none has ended for 30 seconds`;
    throw new EgressDeniedError(target.name, reason);
  }

  async #permit(target: Target, usage: HostUsage): Promise<Permit> {
    const allowedPrivateHosts = this.#hosts?.allowedPrivateHosts ?? [];
    const addresses = await resolveAddresses(this.network, target, allowedPrivateHosts);
    const account = (what: "bytesSent" | "bytesReceived", verb: string): Account => {
      const most = this.policy.limits[what];
      const expect = (bytes: number) => {
        if (this.#used[what] + bytes <= most) return;
        throw new EgressDeniedError(target.name, `the run may ${verb} at most ${most} bytes`);
      };
      const count = (bytes: number) => {
        this.#used[what] += bytes;
        usage[what] += bytes;
        expect(0);
      };
      return { expect, count };
    };
    return {
      addresses,
      sent: account("bytesSent", "send"),
      received: account("bytesReceived", "receive"),
      countRequest: () => void (usage.requests += 1),
    };
  }

  #note(usage: HostUsage, { reason }: EgressDeniedError): void {
    usage.refused += 1;
    usage.reason = reason;
  }
}

/** Settles like `promise`, or rejects when the signal aborts: DNS lookups may take long. */
async function orAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
    promise.catch(() => {});
  }
}

function hostsOf({ allowedHosts, privateHosts }: EgressPolicy) {
  return {
    declared: allowedHosts.map(parseDeclaredHost).filter((host) => host !== undefined),
    allowedPrivateHosts: privateHosts.map(parsePrivateHost).filter((host) => host !== undefined),
  };
}
