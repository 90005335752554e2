import { parseDeclaredHost, parsePrivateHost, undeclared } from "./declared-hosts.ts";
import type { InternalService, InternalServices } from "./internal-service.ts";
import { addressesOf, type Outlet } from "./outlet.ts";
import type { EgressPolicy } from "./policy.ts";
import { EgressReport, type HostUsage } from "./egress-report.ts";
import { EgressDeniedError, RunEndedError } from "./egress-errors.ts";
import type { Target } from "./target.ts";
import { Turns } from "./turns.ts";

/** Whose lease it is: the isolate that serves the run, and with whom it may share connections. */
export type Holder = {
  isolate: string;
  /** Runs with equal circles share connections. */
  circle: string;
};

/** Counts the bytes of bodies one way. Both throw `EgressDeniedError` when they are more than the run may have. */
type Account = {
  /** Looks whether so many could pass. */
  expect: (bytes: number) => void;
  count: (bytes: number) => void;
};

/** Requests of a run to services of ours that go on at once; more wait. */
const PARALLEL_INSIDE = 32;

/** A request that is let out, with what is counted while it goes on. */
export type Permit = { addresses: readonly string[]; sent: Account; received: Account };

/** The right of one run to reach out, from its start to its end, and the account of what it did. */
export class EgressLease {
  readonly holder: Holder;
  readonly outlet: Outlet;
  readonly policy: EgressPolicy;
  /** Why an answer was cut off in its middle, where the tool can no longer be told. */
  cutReason: string | undefined;
  readonly #report = new EgressReport();
  readonly #turns: Turns;
  readonly #services: InternalServices;
  readonly #turnsInside = new Turns(PARALLEL_INSIDE);
  readonly #open = new Set<AbortController>();
  readonly #used = { requests: 0, bytesSent: 0, bytesReceived: 0 };
  #hosts: ReturnType<typeof hostsOf> | undefined;
  #isOver = false;

  constructor(
    outlet: Outlet,
    policy: EgressPolicy,
    holder: Holder,
    services: InternalServices = {},
  ) {
    this.outlet = outlet;
    this.policy = policy;
    this.holder = holder;
    this.#services = services;
    this.#turns = new Turns(policy.limits.parallelRequests);
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
        this.#turns.leave();
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
      if (!(await this.#turnsInside.enter())) {
        const reason = `${PARALLEL_INSIDE} requests to it are open and none of them ends`;
        throw new EgressDeniedError(target.name, reason);
      }
      try {
        await work();
      } finally {
        this.#turnsInside.leave();
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
    this.#turns.turnAway();
    this.#turnsInside.turnAway();
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
    if (await this.#turns.enter()) return;
    const { parallelRequests } = this.policy.limits;
    const reason = `${parallelRequests} requests of the run are open and none of them ends`;
    throw new EgressDeniedError(target.name, reason);
  }

  async #permit(target: Target, usage: HostUsage): Promise<Permit> {
    const opened = this.#hosts?.opened ?? [];
    const addresses = await addressesOf(this.outlet, target, opened);
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
    opened: privateHosts.map(parsePrivateHost).filter((host) => host !== undefined),
  };
}
