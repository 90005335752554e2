import { credentialOf, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { Config } from "#config";

/** A limit on concurrent operations on one node. */
type Policy = {
  /** The setting with the limit; 0 turns it off. */
  setting: keyof Config & `${"KEY" | "USER" | "WORKSPACE" | "NODE"}_MAX_${string}`;
  /** As messages say it, after "50 ". */
  what: string;
};

/** Concurrency limits, by the name that clients see in `RateLimit-Policy`. */
const concurrencyPolicies = {
  "key-streams": { setting: "KEY_MAX_STREAMS", what: "open streams of one API key or session" },
  "user-streams": { setting: "USER_MAX_STREAMS", what: "open streams of one person" },
  "workspace-streams": { setting: "WORKSPACE_MAX_STREAMS", what: "open streams of one workspace" },
  "node-streams": { setting: "NODE_MAX_STREAMS", what: "open streams of this server" },
  "user-uploads": { setting: "USER_MAX_UPLOADS", what: "concurrent uploads of one person" },
  "workspace-uploads": {
    setting: "WORKSPACE_MAX_UPLOADS",
    what: "concurrent uploads of one workspace",
  },
  "user-bodies": { setting: "USER_MAX_BODIES", what: "large request bodies of one person" },
  "user-waits": { setting: "USER_MAX_WAITS", what: "requests of one person that wait for a run" },
  "node-waits": { setting: "NODE_MAX_WAITS", what: "requests that wait for a run" },
  "workspace-exports": {
    setting: "WORKSPACE_MAX_EXPORTS",
    what: "concurrent exports of one workspace",
  },
} as const satisfies Record<string, Policy>;

type PolicyName = keyof typeof concurrencyPolicies;
type Charge = { policy: PolicyName; subject: string };

/** Counts concurrent operations in this process. Each node counts separately, because a connection belongs to one. */
export type Holds = {
  /** Counts one more for each charge, or for none when it throws `rate_limited`. The result ends it, once. */
  take(charges: readonly Charge[]): () => void;
  /** The number of operations in progress on this node. */
  count(what: "streams" | "uploads"): number;
};

const retryAfterSeconds = 5;

export function createHolds(config: Config): Holds {
  const counts = new Map<string, number>();
  const totals = { streams: 0, uploads: 0 };
  return {
    take(charges) {
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
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const charge of limited) add(counts, charge, -1);
        if (kind !== undefined) totals[kind] -= 1;
      };
    },
    count: (what) => totals[what],
  };
}

type HoldsContext = { holds: Holds };
type Holder = Pick<Caller, "userId" | "workspaceId">;

/** Counts a stream that stays open. Throws `rate_limited`. */
export function holdStream(
  { holds }: HoldsContext,
  caller: Holder & Pick<Caller, "actor">,
): () => void {
  return holds.take([
    { policy: "key-streams", subject: credentialOf(caller) },
    { policy: "user-streams", subject: caller.userId },
    { policy: "workspace-streams", subject: caller.workspaceId },
    { policy: "node-streams", subject: "" },
  ]);
}

/** Counts an upload whose bytes arrive. Throws `rate_limited`. */
export function holdUpload({ holds }: HoldsContext, { userId, workspaceId }: Holder): () => void {
  return holds.take([
    { policy: "user-uploads", subject: userId },
    { policy: "workspace-uploads", subject: workspaceId },
  ]);
}

/** Counts a large request body, which is buffered in memory while it arrives. Throws `rate_limited`. */
export function holdBody({ holds }: HoldsContext, { userId }: Pick<Caller, "userId">): () => void {
  return holds.take([{ policy: "user-bodies", subject: userId }]);
}

/** Counts an export while it is sent. Throws `rate_limited`. */
export function holdExport({ holds }: HoldsContext, { workspaceId }: Holder): () => void {
  return holds.take([{ policy: "workspace-exports", subject: workspaceId }]);
}

/** Counts a request that waits for a run. Undefined where as many wait already: then nothing is waited for. */
export function holdWait(
  { holds }: HoldsContext,
  { userId }: Pick<Caller, "userId">,
): (() => void) | undefined {
  try {
    return holds.take([
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
    `The limit on ${what} (${max}) is reached. Close one, or try again in ${retryAfterSeconds} seconds.`,
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
