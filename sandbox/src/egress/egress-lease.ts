import { parseDeclaredHost, parsePrivateHost, undeclared } from "./declared-hosts.ts";
import type { InternalService, InternalServices } from "./internal-service.ts";
import { resolveAddresses, type EgressNetwork } from "./egress-network.ts";
import type { EgressPolicy } from "./policy.ts";
import { EgressReport, type HostUsage } from "./egress-report.ts";
import { EgressDeniedError, RunEndedError } from "./egress-errors.ts";
import type { Target } from "./target.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";

/** Whose lease it is: the isolate that serves the run, and with whom it may share connections. */
export type LeaseHolder = {
  isolate: string;
  /** Runs with equal circles share connections. */
  connectionGroup: string;
};

/** Counts the bytes of bodies one way. Both throw `EgressDeniedError` when they are more than the run may have. */
type Account = {
  /** Looks whether so many could pass. */
  expect: (bytes: number) => void;
  count: (bytes: number) => void;
};

/** Requests of a run to services of ours that go on at once; more wait. */
const MAX_INTERNAL_REQUESTS = 32;

/** A request that is let out, with what is counted while it goes on. */
export type Permit = { addresses: readonly string[]; sent: Account; received: Account };

/** The right of one run to reach out, from its start to its end, and the account of what it did. */
export class EgressLease {
  readonly holder: LeaseHolder;
  readonly network: EgressNetwork;
  readonly policy: EgressPolicy;
  /** Why an answer was cut off in its middle, where the tool can no longer be told. */
  cutReason: string | undefined;
  readonly #report = new EgressReport();
  readonly #limiter: ConcurrencyLimiter;
  readonly #services: InternalServices;
  readonly #internalLimiter = new ConcurrencyLimiter(MAX_INTERNAL_REQUESTS);
  readonly #open = new Set<AbortController>();
  readonly #used = { requests: 0, bytesSent: 0, bytesReceived: 0 };
  #hosts: ReturnType<typeof hostsOf> | undefined;
  #isOver = false;

  constructor(
    network: EgressNetwork,
    policy: EgressPolicy,
    holder: LeaseHolder,
    services: InternalServices = {},
  ) {
    this.network = network;
    this.policy = policy;
    this.holder = holder;
    this.#services = services;
    this.#limiter = new ConcurrencyLimiter(policy.limits.parallelRequests);
  }

  /**
   * Calls `vet`, which may refuse the request, waits for a turn, then calls `work` with the right to go out. Throws `EgressDeniedError`, `RunEndedError`,
   * `UpstreamError` when the name has no address, and what `work` throws. The end of the lease aborts it.
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
        usage.requests += 1;
        await work(permit);
      } finally {
        this.#limiter.leave();
      }
    } catch (error) {
      if (this.#isOver) throw new RunEndedError();
      if (error instanceof EgressDeniedError) this.#note(usage, error);
      throw error;
    } finally {
      this.#open.delete(controller);
    }
  }

  /** The service of ours that a target names; undefined for what is outside. */
  serviceOf({ scheme, host, port }: Target): InternalService | undefined {
    const isOurs = scheme === "http:" && port === 80 && Object.hasOwn(this.#services, host);
    return isOurs ? this.#services[host] : undefined;
  }

  /**
   * Waits for a turn and calls `work`, for a request to a service of ours: neither the limits nor the
   * account of the network know of it. Throws as {@link letOut}.
   */
  async serveInternally(
    target: Target,
    controller: AbortController,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      this.#open.add(controller);
      if (this.#isOver) throw new RunEndedError();
      if (!(await this.#internalLimiter.enter())) {
        const reason = `${MAX_INTERNAL_REQUESTS} requests to it are open and none of them ends`;
        throw new EgressDeniedError(target.name, reason);
      }
      try {
        await work();
      } finally {
        this.#internalLimiter.leave();
      }
    } catch (error) {
      throw this.#isOver ? new RunEndedError() : error;
    } finally {
      this.#open.delete(controller);
    }
  }

  /** Counts a request that is refused whatever the run may do, and answers with the refusal. */
  deny(name: string, reason: string): EgressDeniedError {
    const refusal = new EgressDeniedError(name, reason);
    this.#note(this.#report.of(name), refusal);
    return refusal;
  }

  report(): HostUsage[] {
    return this.#report.all();
  }

  /** Ends every request under way and turns all further ones away. */
  close(): void {
    this.#isOver = true;
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
      throw new EgressDeniedError(target.name, `the run has made its ${requests} requests`);
    }
    this.#used.requests += 1;
  }

  async #takeTurn(target: Target): Promise<void> {
    if (await this.#limiter.enter()) return;
    const { parallelRequests } = this.policy.limits;
    const reason = `${parallelRequests} requests of the run are open and none of them ends`;
    throw new EgressDeniedError(target.name, reason);
  }

  async #permit(target: Target, usage: HostUsage): Promise<Permit> {
    const allowedPrivateHosts = this.#hosts?.allowedPrivateHosts ?? [];
    const addresses = await resolveAddresses(this.network, target, allowedPrivateHosts);
    const account = (what: "bytesSent" | "bytesReceived", verb: string): Account => {
      const most = this.policy.limits[what];
      const expect = (bytes: number) => {
        if (this.#used[what] + bytes <= most) return;
        throw new EgressDeniedError(target.name, `the run may ${verb} no more than ${most} bytes`);
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
    };
  }

  #note(usage: HostUsage, { reason }: EgressDeniedError): void {
    usage.refused += 1;
    usage.reason = reason;
  }
}

/** What `promise` comes to, unless the signal aborts first: names may take long to resolve. */
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
