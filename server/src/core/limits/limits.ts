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

/** The limits that are on, with what this process leased of them. */
export type Limits = {
  /** Takes one point for each charge whose limit is on, or none at all when it throws. */
  take(charges: readonly Charge[]): Promise<Taking>;
  /** Gives back what was leased of the day's quotas and not used. */
  stop(): Promise<void>;
};

/** Points that were taken, and where the subjects stand since. */
export type Taking = {
  state: LimitState;
  /** For what did not happen after all. */
  giveBack(): void;
};

type ContextWithLimits = { limits: Limits };
type Counted = Pick<Caller, "userId" | "workspaceId" | "actor">;

/**
 * Counts a request of the caller. Throws `rate_limited` beyond a limit, and what the database throws when
 * it has to be asked and fails.
 */
export async function takeRequest(
  { limits }: ContextWithLimits,
  caller: Caller,
): Promise<LimitState> {
  return (await limits.take(chargesOfRequest(caller))).state;
}

/**
 * Counts a run, besides the request that asks for it; it is given back when no run begins. Throws `rate_limited` or `quota_exceeded`, and what
 * the database throws when it has to be asked and fails.
 */
export function takeRun({ limits }: ContextWithLimits, caller: Counted): Promise<Taking> {
  return limits.take(chargesOfRun(caller));
}

/** Counts against one limit, for requests without a caller. The subject may be any text. Throws as `takeRequest`. */
export async function takePoints(
  { limits }: ContextWithLimits,
  policy: PolicyName,
  subject: string,
): Promise<LimitState> {
  return (await limits.take([{ policy, subject: keyable(subject) }])).state;
}

type Limit = { name: PolicyName; limit: number; leases: Leases };

/**
 * The limits of a configuration. Minutes are counted in memory where this process is alone with the
 * database, else in the database for all nodes together; days always in the database, for a quota that a
 * restart forgets is none. A process that is killed loses what it leased: less than a block of each quota.
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
    take: (charges) => takeAll(limits, charges),
    stop: () => giveBackQuotas(limits, ofDays),
  };
}

async function takeAll(
  limits: ReadonlyMap<PolicyName, Limit>,
  charges: readonly Charge[],
): Promise<Taking> {
  const taken: Taken[] = [];
  const state: PolicyState[] = [];
  const giveBack = () => {
    for (const one of taken.splice(0)) one.giveBack();
  };
  try {
    for (const { policy, subject } of charges) {
      const limit = limits.get(policy);
      if (limit === undefined) continue;
      const one = await limit.leases.take(subject);
      state.push(stateOf(limit, one));
      if (!one.isAllowed) throw refusal(limit, state);
      taken.push(one);
    }
    return { state, giveBack };
  } catch (error) {
    giveBack();
    throw error;
  }
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
    `${sentence} Try again in ${duration(seconds)}.`,
    { retryAfterSeconds: seconds, headers: rateLimitHeaders(state) },
  );
}

function duration(seconds: number): string {
  if (seconds === 1) return "a second";
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

async function giveBackQuotas(
  limits: ReadonlyMap<PolicyName, Limit>,
  counter: RefundingCounter,
): Promise<void> {
  const unused = [...limits.values()]
    .filter(({ name }) => policies[name].window === "day")
    .flatMap(({ name, leases }) =>
      leases.drain().map(({ subject, points }) => ({ key: `${name}:${subject}`, points })),
    );
  // A database that is away must not hold up the end of the process.
  await Promise.allSettled(unused.map(({ key, points }) => counter.giveBack(key, points)));
}

/** The counter's keys are short, and PostgreSQL keeps no NUL in a text. */
function keyable(subject: string): string {
  return /^[\x21-\x7e]{1,128}$/.test(subject) ? subject : sha256(subject);
}
