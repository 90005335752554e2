import type { Config } from "#config";
import type { Caller } from "#core/kernel";
import { ServiceError } from "#core/kernel";
import type { Database } from "#db";
import { sha256 } from "#lib/hash";
import { createDatabaseCounter, createMemoryCounter } from "./counter.ts";
import type { RefundingCounter } from "./counter.ts";
import { createLeases } from "./leases.ts";
import type { Leases, Taken } from "./leases.ts";
import { chargesOfRequest, chargesOfRun, policies, windows } from "./policies.ts";
import type { Charge, PolicyName } from "./policies.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import type { LimitState, PolicyState } from "./rate-limit-headers.ts";

/** The enabled limits, with the points that this node has leased. */
export type Limits = {
  /** Takes a point for each charge whose limit is enabled, or none if it throws. */
  charge(charges: readonly Charge[]): Promise<ChargeResult>;
  /** Returns unused points of daily quotas. */
  stop(): Promise<void>;
};

/** The points taken, and the resulting state of each limit. */
export type ChargeResult = {
  state: LimitState;
  /** Returns the points if the action did not happen. */
  refund(): void;
};

type ContextWithLimits = { limits: Limits };
type Counted = Pick<Caller, "userId" | "workspaceId" | "actor">;

/**
 * Counts a request of the caller. Throws `rate_limited` beyond a limit, and database errors.
 */
export async function chargeRequest(
  { limits }: ContextWithLimits,
  caller: Caller,
): Promise<LimitState> {
  return (await limits.charge(chargesOfRequest(caller))).state;
}

/**
 * Counts a run, in addition to its request. Return the points if no run starts. Throws `rate_limited` or `quota_exceeded`,
 * and database errors.
 */
export function chargeRun({ limits }: ContextWithLimits, caller: Counted): Promise<ChargeResult> {
  return limits.charge(chargesOfRun(caller));
}

/** Counts several runs of one request: once for the limits of a minute, and each for the quotas of a day. Throws as `chargeRun`. */
export function chargeRuns(
  { limits }: ContextWithLimits,
  caller: Counted,
  count: number,
): Promise<ChargeResult> {
  return limits.charge(
    chargesOfRun(caller).map((charge) =>
      policies[charge.policy].window === "day" ? { ...charge, count } : charge,
    ),
  );
}

/** Counts against one limit, for requests without a caller. The subject may be any text. Throws as `chargeRequest`. */
export async function chargePoints(
  { limits }: ContextWithLimits,
  policy: PolicyName,
  subject: string,
): Promise<LimitState> {
  return (await limits.charge([{ policy, subject: keyable(subject) }])).state;
}

type Limit = { name: PolicyName; limit: number; leases: Leases };

/**
 * Creates the configured limits. Minutes are counted in memory on SQLite, otherwise in the database for all nodes together.
 * Days are always counted in the database, so that a restart does not reset a quota. A killed process loses its leased
 * points: less than a block of each quota.
 */
export function createLimits({ config, db }: { config: Config; db: Database }): Limits {
  const ofDays = createDatabaseCounter(db, {
    table: "quota_uses",
    windowMs: windows.day.seconds * 1_000,
    isAligned: true,
  });
  const windowMs = windows.minute.seconds * 1_000;
  const ofMinutes =
    db.dialect === "sqlite"
      ? createMemoryCounter(windowMs)
      : createDatabaseCounter(db, { table: "rate_limits", windowMs, isAligned: false });
  const limits = new Map<PolicyName, Limit>();
  for (const name of Object.keys(policies) as PolicyName[]) {
    const { setting, window } = policies[name];
    const limit = config[setting];
    const counter = window === "day" ? ofDays : ofMinutes;
    if (limit > 0)
      limits.set(name, { name, limit, leases: createLeases({ counter, limit, name }) });
  }
  return {
    charge: (charges) => chargeAll(limits, charges),
    stop: () => refundQuotas(limits, ofDays),
  };
}

async function chargeAll(
  limits: ReadonlyMap<PolicyName, Limit>,
  charges: readonly Charge[],
): Promise<ChargeResult> {
  const taken: Taken[] = [];
  const state: PolicyState[] = [];
  const refund = () => {
    for (const one of taken.splice(0)) one.refund();
  };
  try {
    await refillAll(limits, charges);
    for (const { policy, subject, count = 1 } of charges) {
      const limit = limits.get(policy);
      if (limit === undefined) continue;
      for (let taking = 1; taking <= count; taking++) {
        const one = await limit.leases.take(subject);
        if (taking === count || !one.isAllowed) state.push(stateOf(limit, one));
        if (!one.isAllowed) throw refusal(limit, state);
        taken.push(one);
      }
    }
    return { state, refund };
  } catch (error) {
    refund();
    throw error;
  }
}

/** Refills the leases without points at the same time, so that the request waits for one round trip to the database. */
async function refillAll(
  limits: ReadonlyMap<PolicyName, Limit>,
  charges: readonly Charge[],
): Promise<void> {
  let refills: Promise<void>[] | undefined;
  for (const { policy, subject } of charges) {
    const refill = limits.get(policy)?.leases.refillIfEmpty(subject);
    if (refill !== undefined) (refills ??= []).push(refill);
  }
  if (refills !== undefined) await Promise.all(refills);
}

function stateOf({ name, limit }: Limit, { remaining, msLeft }: Taken): PolicyState {
  return {
    name,
    limit,
    windowSeconds: windows[policies[name].window].seconds,
    remaining,
    resetSeconds: Math.max(1, Math.ceil(msLeft / 1_000)),
  };
}

function refusal({ name, limit }: Limit, state: LimitState): ServiceError {
  const { what, window } = policies[name];
  const seconds = state.at(-1)?.resetSeconds ?? 1;
  const sentence =
    window === "day"
      ? `The quota for ${what} (${limit}) is used up until midnight UTC.`
      : `The limit on ${what} (${limit}) is reached.`;
  return new ServiceError(
    window === "day" ? "quota_exceeded" : "rate_limited",
    `${sentence} Retry in ${duration(seconds)}.`,
    { retryAfterSeconds: seconds, headers: rateLimitHeaders(state) },
  );
}

function duration(seconds: number): string {
  if (seconds === 1) return "a second";
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

async function refundQuotas(
  limits: ReadonlyMap<PolicyName, Limit>,
  counter: RefundingCounter,
): Promise<void> {
  const unused = [...limits.values()]
    .filter(({ name }) => policies[name].window === "day")
    .flatMap(({ name, leases }) =>
      leases.drain().map(({ subject, points }) => ({ key: `${name}:${subject}`, points })),
    );
  // An unavailable database must not delay the shutdown.
  await Promise.allSettled(unused.map(({ key, points }) => counter.refund(key, points)));
}

/** Hashes long subjects and unusual characters, because PostgreSQL text cannot contain NUL. */
function keyable(subject: string): string {
  return /^[\x21-\x7e]{1,128}$/.test(subject) ? subject : sha256(subject);
}
