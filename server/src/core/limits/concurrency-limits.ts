import { credentialOf, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { Config } from "#config";

/** A limit on concurrent operations on one node. */
type Policy = {
  /** The setting with the limit; 0 turns it off. */
  setting: keyof Config & `${"KEY" | "USER" | "WORKSPACE" | "NODE"}_MAX_${string}`;
  /** The noun in error messages. */
  what: string;
};

/** Concurrency limits, by the name that clients see in `RateLimit-Policy`. */
const concurrencyPolicies = {
  "key-streams": { setting: "KEY_MAX_STREAMS", what: "open streams of one API key or session" },
  "user-streams": { setting: "USER_MAX_STREAMS", what: "open streams of one user" },
  "workspace-streams": { setting: "WORKSPACE_MAX_STREAMS", what: "open streams of one workspace" },
  "node-streams": { setting: "NODE_MAX_STREAMS", what: "open streams of this server" },
  "user-uploads": { setting: "USER_MAX_UPLOADS", what: "concurrent uploads of one user" },
  "workspace-uploads": {
    setting: "WORKSPACE_MAX_UPLOADS",
    what: "concurrent uploads of one workspace",
  },
  "user-bodies": { setting: "USER_MAX_BODIES", what: "large request bodies of one user" },
  "user-waits": { setting: "USER_MAX_WAITS", what: "requests of one user that wait for a run" },
  "node-waits": { setting: "NODE_MAX_WAITS", what: "requests that wait for a run" },
  "workspace-exports": {
    setting: "WORKSPACE_MAX_EXPORTS",
    what: "concurrent exports of one workspace",
  },
} as const satisfies Record<string, Policy>;

type PolicyName = keyof typeof concurrencyPolicies;
type Charge = { policy: PolicyName; subject: string };

/** Counts concurrent operations in this process. Each node counts separately, because a connection belongs to one. */
export type ConcurrencyLimits = {
  /** Reserves one operation per charge, or none if it throws `rate_limited`. Returns the function that releases them. */
  reserve(charges: readonly Charge[]): () => void;
  /** The number of operations in progress on this node. */
  count(what: "streams" | "uploads"): number;
};

const retryAfterSeconds = 5;

export function createConcurrencyLimits(config: Config): ConcurrencyLimits {
  const counts = new Map<string, number>();
  const totals = { streams: 0, uploads: 0 };
  return {
    reserve(charges) {
      const limited = charges.filter(
        ({ policy }) => config[concurrencyPolicies[policy].setting] > 0,
      );
      for (const { policy, subject } of limited) {
        const max = config[concurrencyPolicies[policy].setting];
        if ((counts.get(`${policy}:${subject}`) ?? 0) >= max) throw refusal(policy, max);
      }
      for (const charge of limited) add(counts, charge, 1);
      const kind = kindOf(charges);
      if (kind !== undefined) totals[kind] += 1;
      let isReserved = true;
      return () => {
        if (!isReserved) return;
        isReserved = false;
        for (const charge of limited) add(counts, charge, -1);
        if (kind !== undefined) totals[kind] -= 1;
      };
    },
    count: (what) => totals[what],
  };
}

type ConcurrencyContext = { concurrency: ConcurrencyLimits };
type Subject = Pick<Caller, "userId" | "workspaceId">;

/** Reserves an open stream; returns the function that releases it. Throws `rate_limited`. */
export function reserveStream(
  { concurrency }: ConcurrencyContext,
  caller: Subject & Pick<Caller, "actor">,
): () => void {
  return concurrency.reserve([
    { policy: "key-streams", subject: credentialOf(caller) },
    { policy: "user-streams", subject: caller.userId },
    { policy: "workspace-streams", subject: caller.workspaceId },
    { policy: "node-streams", subject: "" },
  ]);
}

/** Reserves an upload for as long as its bytes arrive. Throws `rate_limited`. */
export function reserveUpload(
  { concurrency }: ConcurrencyContext,
  { userId, workspaceId }: Subject,
): () => void {
  return concurrency.reserve([
    { policy: "user-uploads", subject: userId },
    { policy: "workspace-uploads", subject: workspaceId },
  ]);
}

/** Reserves a large request body, which is buffered in memory while it arrives. Throws `rate_limited`. */
export function reserveBody(
  { concurrency }: ConcurrencyContext,
  { userId }: Pick<Caller, "userId">,
): () => void {
  return concurrency.reserve([{ policy: "user-bodies", subject: userId }]);
}

/** Reserves an export while it is sent. Throws `rate_limited`. */
export function reserveExport(
  { concurrency }: ConcurrencyContext,
  { workspaceId }: Subject,
): () => void {
  return concurrency.reserve([{ policy: "workspace-exports", subject: workspaceId }]);
}

/** Reserves a request that waits for a run. Undefined if the limit is reached: the request then returns without a wait. */
export function reserveWait(
  { concurrency }: ConcurrencyContext,
  { userId }: Pick<Caller, "userId">,
): (() => void) | undefined {
  try {
    return concurrency.reserve([
      { policy: "user-waits", subject: userId },
      { policy: "node-waits", subject: "" },
    ]);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function kindOf([first]: readonly Charge[]): "streams" | "uploads" | undefined {
  if (first?.policy === "key-streams") return "streams";
  return first?.policy === "user-uploads" ? "uploads" : undefined;
}

function add(counts: Map<string, number>, { policy, subject }: Charge, by: number): void {
  const key = `${policy}:${subject}`;
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

function refusal(policy: PolicyName, max: number): ServiceError {
  const { what } = concurrencyPolicies[policy];
  return new ServiceError(
    "rate_limited",
    `The limit on ${what} (${max}) is reached. Close one, or retry in ${retryAfterSeconds} seconds.`,
    {
      retryAfterSeconds,
      headers: {
        "ratelimit-policy": `"${policy}";q=${max}`,
        ratelimit: `"${policy}";r=0;t=${retryAfterSeconds}`,
      },
      extra: { limit: { name: policy, max } },
    },
  );
}
